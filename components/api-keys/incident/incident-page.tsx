'use client';

import { useQuery } from '@tanstack/react-query';
import { OctagonX, RotateCw, Siren } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type {
  IncidentKey,
  IncidentKeyFilters,
} from '#lib/contract/api-keys/incidents/incident-keys.ts';
import type { IncidentAct } from '#lib/contract/api-keys/incidents/incident-words.ts';
import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isForbidden } from '#lib/queries/data-if-permitted.ts';

import { incidentPath } from '../api-key-path.ts';
import { CallCountsNote } from './call-counts-note.tsx';
import { describeIncidentOutcome, incidentTitle } from './describe-incident.ts';
import { IncidentHeading } from './incident-heading.tsx';
import { IncidentKeyTable, IncidentKeyTableSkeleton } from './incident-key-table.tsx';
import { KeyFilterFields } from './key-filter-fields.tsx';
import {
  type KeyFilterValues,
  noKeyFilters,
  toIncidentKeyFilters,
  withoutSecrets,
} from './key-filters.ts';
import { type SelectedKeys, useKeySelection } from './use-key-selection.ts';

/** The keys that the dialog is about, as they were shown when its button was pressed. */
type ShownDialog = { act: IncidentAct; keys: readonly IncidentKey[]; choice: IncidentKeyFilters };

/** Chooses keys, and opens the dialog that shows what would end and starts it. */
export function IncidentPage({ session: { account } }: { session: Session }) {
  const { values, isFiltered, change, clear } = useKeyFilters();
  const filters = toIncidentKeyFilters(values);
  const [shownDialog, setShownDialog] = useState<ShownDialog | null>(null);
  const opener = useRef<HTMLButtonElement | null>(null);
  const { data, error, ...reading } = useQuery({
    ...routeQuery(account.id, 'listIncidentKeys', { query: filters }),
    placeholderData: (before) => before,
    refetchInterval: shownDialog === null && pageRefetchInterval,
  });
  const { data: incidents } = useQuery(routeQuery(account.id, 'listIncidents'));
  const addressError = addressErrorOf(error);
  const keys = addressError === undefined ? (data?.keys ?? []).toSorted(byCalls) : [];
  const selection = useKeySelection(keys);
  const { chosen } = selection;

  function open(act: IncidentAct, from: HTMLButtonElement) {
    opener.current = from;
    setShownDialog({ act, keys: chosen, choice: filters });
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

  if (data?.live_keys === 0 && !isFiltered && shownDialog === null) {
    return (
      <>
        <IncidentHeading />
        <div className="@container grid gap-10 max-sm:gap-8">
          <RunningIncidents incidents={incidents ?? []} />
          <EmptyState title="This account has no active keys">
            There is nothing to rotate or revoke.
          </EmptyState>
          <EarlierIncidents incidents={incidents ?? []} />
        </div>
      </>
    );
  }

  return (
    <>
      <IncidentHeading />
      <div className="@container grid gap-10 max-sm:gap-8">
        <RunningIncidents incidents={incidents ?? []} />
        <Section title="1. Choose the keys">
          <KeyFilterFields
            values={values}
            creators={data?.creators ?? []}
            addressError={addressError}
            onChange={change}
          />
          {failure}
          {reading.isPending && <IncidentKeyTableSkeleton />}
          {keys.length > 0 && (
            <KeySelection
              caption={`Active API keys of ${account.name}`}
              keys={keys}
              outOf={isFiltered ? data?.live_keys : undefined}
              isBusy={reading.isFetching}
              {...selection}
            />
          )}
          {data && keys.length === 0 && addressError === undefined && (
            <NoKeys liveKeys={data.live_keys} onClear={isFiltered ? clear : undefined} />
          )}
          {data && <CallCountsNote counted={data.counted} />}
        </Section>
        <ReviewImpact count={chosen.length} disabledReason={disabledReason} onOpen={open} />
        <EarlierIncidents incidents={incidents ?? []} />
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

type NoKeysProps = {
  liveKeys: number;
  /** Undefined: no filter is set. */
  onClear: (() => void) | undefined;
};

function NoKeys({ liveKeys, onClear }: NoKeysProps) {
  return (
    <EmptyState
      isQuiet
      title={liveKeys === 0 ? 'This account has no active keys' : 'No active keys match'}
      actions={
        onClear && (
          <Button focusesTitleOnRemoval onClick={onClear}>
            Show all active keys
          </Button>
        )
      }
    >
      {liveKeys > 0 && `The account has ${countOf(liveKeys, 'key')} that still work.`}
    </EmptyState>
  );
}

type ReviewImpactProps = {
  /** How many keys are selected. */
  count: number;
  disabledReason: string | undefined;
  onOpen: (act: IncidentAct, opener: HTMLButtonElement) => void;
};

function ReviewImpact({ count, disabledReason, onOpen }: ReviewImpactProps) {
  return (
    <Section title="2. Review the impact">
      <p className="max-w-[62ch] text-pretty text-ink-2">
        The next step shows the calls that would end, and changes nothing before you confirm. Rotate
        keys that you still use: each gets a new token. Revoke keys that are no longer used.
      </p>
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
        <Button
          variant="primary"
          icon={<RotateCw />}
          disabledReason={disabledReason}
          onClick={(event) => onOpen('rotate', event.currentTarget)}
        >
          Rotate {countOf(count, 'key')}
        </Button>
        <Button
          icon={<OctagonX />}
          className="text-bad"
          disabledReason={disabledReason}
          onClick={(event) => onOpen('revoke', event.currentTarget)}
        >
          Revoke {countOf(count, 'key')}
        </Button>
      </div>
    </Section>
  );
}

type Obstacles = { isReading: boolean; isNoneChosen: boolean; isAnotherRunning: boolean };

function disabledReasonOf({
  isReading,
  isNoneChosen,
  isAnotherRunning,
}: Obstacles): string | undefined {
  if (isReading) return 'The keys that match the filters are still loading.';
  if (isNoneChosen) return 'No key is selected.';
  return isAnotherRunning
    ? 'Keys are already being rotated or revoked. Wait until that is done.'
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

/** Links to the incidents that have ended. */
function EarlierIncidents({ incidents }: { incidents: readonly Incident[] }) {
  const ended = incidents.filter(({ state }) => state !== 'running');
  if (ended.length === 0) return null;
  return (
    <Section title="Earlier incidents">
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {ended.map((incident) => (
          <li key={incident.uuid} className="border-t border-line py-2.5 last:border-b">
            <PageLink
              href={incidentPath(incident)}
              className="font-medium wrap-anywhere text-ink no-underline hover:underline"
            >
              {incident.reason}
            </PageLink>
            <p className="text-small text-ink-3">
              {describeIncidentOutcome(incident)} · {incident.created_by.name},{' '}
              <ExactTime value={incident.created_at} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Shows which incidents are in progress, and links to them. */
function RunningIncidents({ incidents }: { incidents: readonly Incident[] }) {
  return incidents
    .filter(({ state }) => state === 'running')
    .map((incident) => (
      <Banner
        key={incident.uuid}
        icon={<Siren />}
        title={incidentTitle(incident)}
        action={
          <ButtonLink size="small" href={incidentPath(incident)}>
            View progress
          </ButtonLink>
        }
      >
        {incident.created_by.name} started it: {incident.reason}
      </Banner>
    ));
}

type KeyFilterControls = {
  values: KeyFilterValues;
  isFiltered: boolean;
  change: (part: Partial<KeyFilterValues>) => void;
  clear: () => void;
};

/**
 * The filters by which keys are chosen, stored in the URL so that links, reload and Back keep them.
 */
function useKeyFilters(): KeyFilterControls {
  const [values, setValues] = useQueryStates(parsers);
  return {
    values,
    isFiltered: Object.values(values).some((value) => value !== ''),
    change: (part) => changeAddress(setValues(withoutSecrets(part))),
    clear: () => changeAddress(setValues(noKeyFilters)),
  };
}

const parsers = {
  creator: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  address: parseAsString.withDefault(''),
};

type KeySelectionProps = SelectedKeys & {
  caption: string;
  keys: readonly IncidentKey[];
  /** How many active keys there are, if filters leave some of them out. */
  outOf: number | undefined;
  isBusy: boolean;
};

/** The listed keys, each with a checkbox, and how many of them are chosen. */
function KeySelection({ caption, keys, outOf, isBusy, ...selection }: KeySelectionProps) {
  const { chosen, isChosen, choose, chooseAll, clear } = selection;
  const areAllChosen = chosen.length === keys.length;
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-small text-ink-2">
          {outOf === undefined
            ? `${formatCount(chosen.length)} of ${countOf(keys.length, 'active key')} selected`
            : `${formatCount(chosen.length)} of ${countOf(keys.length, 'key')} selected, out of ${countOf(outOf, 'active key')}`}
        </p>
        <Button size="small" onClick={areAllChosen ? clear : chooseAll}>
          {areAllChosen ? 'Clear selection' : 'Select all'}
        </Button>
      </div>
      <IncidentKeyTable
        caption={caption}
        keys={keys}
        isBusy={isBusy}
        isChosen={isChosen}
        choose={choose}
      />
    </>
  );
}
