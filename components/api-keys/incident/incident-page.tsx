'use client';

import { useQuery } from '@tanstack/react-query';
import { OctagonX, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { IncidentAct } from '#lib/contract/api-keys/incident-words.ts';
import type { IncidentKey, KeyChoice } from '#lib/contract/api-keys/incident.ts';
import { countOf } from '#lib/count.ts';
import { incidentKeysQuery, incidentsQuery } from '#lib/queries/incidents.ts';
import { rereadInterval } from '#lib/queries/refetch-interval.ts';
import { isForbidden } from '#lib/queries/while-permitted.ts';

import type { Viewer } from '../viewer.ts';
import { ChoiceFilters } from './choice-filters.tsx';
import { CountedNote } from './call-counts-note.tsx';
import { IncidentHeading } from './incident-heading.tsx';
import { IncidentKeyRow, IncidentKeyTable } from './incident-key-table.tsx';
import { toKeyChoice } from './key-choice.ts';
import { PastIncidents } from './past-incidents.tsx';
import { useKeyChoice } from './use-key-choice.ts';

/** The keys that the dialog is about, as they were shown when its button was pressed. */
type ShownDialog = { act: IncidentAct; keys: readonly IncidentKey[]; choice: KeyChoice };

/** Chooses keys, and opens the dialog that shows what would end and starts it. */
export function IncidentPage({ viewer: { account } }: { viewer: Viewer }) {
  const { view, isFiltered, change, clear } = useKeyChoice();
  const choice = toKeyChoice(view);
  const [shownDialog, setShownDialog] = useState<ShownDialog | null>(null);
  const opener = useRef<HTMLButtonElement | null>(null);
  // Null: all listed keys. Once a person has chosen by hand, keys that appear later are not chosen.
  const [chosenByHand, setChosenByHand] = useState<ReadonlySet<string> | null>(null);
  const { data, error, ...reading } = useQuery({
    ...incidentKeysQuery(account.id, choice),
    placeholderData: (before) => before,
    refetchInterval: shownDialog === null && rereadInterval,
  });
  const { data: incidents } = useQuery(incidentsQuery(account.id));
  const addressError = addressErrorOf(error);
  const keys = addressError === undefined ? (data?.keys ?? []).toSorted(byCalls) : [];
  const isChosen = ({ uuid }: IncidentKey) => chosenByHand?.has(uuid) ?? true;
  const chosen = keys.filter(isChosen);
  const areAllChosen = chosen.length === keys.length;

  function choose(apiKey: IncidentKey, isIncluded: boolean) {
    const next = new Set(chosenByHand ?? keys.map(({ uuid }) => uuid));
    if (isIncluded) next.add(apiKey.uuid);
    else next.delete(apiKey.uuid);
    setChosenByHand(next);
  }

  function open(act: IncidentAct, from: HTMLButtonElement) {
    opener.current = from;
    setShownDialog({ act, keys: chosen, choice });
  }

  const disabledReason = disabledReasonOf({
    isReading: reading.isPlaceholderData,
    isNoneChosen: chosen.length === 0,
    isAnotherRunning: incidents?.some(({ state }) => state === 'running') ?? false,
  });

  const failure = error && addressError === undefined && (
    <ReadFailure
      what="The list"
      shown="the keys"
      noun="API keys"
      error={error}
      isShown={data !== undefined}
      reading={reading}
    />
  );
  if (isForbidden(error)) {
    return (
      <>
        <IncidentHeading />
        {failure}
      </>
    );
  }

  return (
    <>
      <IncidentHeading />
      <div className="@container grid gap-10 max-sm:gap-8">
        <PastIncidents incidents={incidents ?? []} only="running" />
        <Section title="1. Choose the keys">
          <ChoiceFilters
            view={view}
            creators={data?.creators ?? []}
            addressError={addressError}
            onChange={change}
          />
          {failure}
          {reading.isPending && <IncidentKeyTable caption="Loading API keys" isBusy />}
          {keys.length > 0 && (
            <>
              <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <p role="status" className="text-small text-ink-2">
                  {chosen.length} of {countOf(keys.length, 'key')} selected
                  {isFiltered ? `, out of ${data?.live_keys} active keys` : ', all active keys'}
                </p>
                <Button
                  size="small"
                  onClick={() => setChosenByHand(areAllChosen ? new Set() : null)}
                >
                  {areAllChosen ? 'Clear selection' : 'Select all'}
                </Button>
              </div>
              <IncidentKeyTable
                caption={`Active API keys of ${account.name}`}
                isBusy={reading.isFetching}
              >
                {keys.map((apiKey) => (
                  <IncidentKeyRow
                    key={apiKey.uuid}
                    apiKey={apiKey}
                    isChosen={isChosen(apiKey)}
                    onChoose={(isIncluded) => choose(apiKey, isIncluded)}
                  />
                ))}
              </IncidentKeyTable>
            </>
          )}
          {data && keys.length === 0 && addressError === undefined && (
            <EmptyState
              isQuiet
              title={
                data.live_keys === 0 ? 'This account has no active keys' : 'No active keys match'
              }
              actions={
                isFiltered && (
                  <Button focusesTitleOnRemoval onClick={clear}>
                    Show all active keys
                  </Button>
                )
              }
            >
              {data.live_keys > 0 &&
                `The account has ${countOf(data.live_keys, 'key')} that still work.`}
            </EmptyState>
          )}
          {data && <CountedNote counted={data.counted} />}
        </Section>
        <Section title="2. Review the impact">
          <p className="max-w-[62ch] text-pretty text-ink-2">
            The next step shows the calls that would end, and changes nothing before you confirm.
            Rotate keys that you still use: each gets a new token. Revoke keys that nothing uses.
          </p>
          <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
            <Button
              variant="primary"
              icon={<RotateCw />}
              disabledReason={disabledReason}
              onClick={(event) => open('rotate', event.currentTarget)}
            >
              Rotate {countOf(chosen.length, 'key')}
            </Button>
            <Button
              icon={<OctagonX />}
              className="text-bad"
              disabledReason={disabledReason}
              onClick={(event) => open('revoke', event.currentTarget)}
            >
              Revoke {countOf(chosen.length, 'key')}
            </Button>
          </div>
        </Section>
        <PastIncidents incidents={incidents ?? []} only="over" />
      </div>
      <LazyStartDialog
        shouldLoad={shownDialog !== null}
        shownDialog={shownDialog}
        accountId={account.id}
        finalFocus={opener}
        onStale={() => void reading.refetch()}
        onClose={() => setShownDialog(null)}
      />
    </>
  );
}

const LazyStartDialog = lazyComponent(async () => {
  const { StartIncident } = await import('./start-incident.tsx');
  type Props = Omit<Parameters<typeof StartIncident>[0], keyof ShownDialog>;
  return ({ shownDialog, ...props }: Props & { shownDialog: ShownDialog | null }) =>
    shownDialog && <StartIncident {...shownDialog} {...props} />;
});

function disabledReasonOf(about: {
  isReading: boolean;
  isNoneChosen: boolean;
  isAnotherRunning: boolean;
}): string | undefined {
  if (about.isReading) return 'The keys that match the filters are still loading.';
  if (about.isNoneChosen) return 'No key is selected.';
  return about.isAnotherRunning
    ? 'Keys are being rotated or revoked already. Wait until that is done.'
    : undefined;
}

function addressErrorOf(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.details?.['address']?.join(' ') : undefined;
}

/** Keys with the most calls come first. */
function byCalls(a: IncidentKey, b: IncidentKey): number {
  return (
    b.calls_per_hour - a.calls_per_hour ||
    b.calls_last_day - a.calls_last_day ||
    a.name.localeCompare(b.name, 'en')
  );
}
