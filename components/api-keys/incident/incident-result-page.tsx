'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Meter } from '#components/ui/feedback/meter.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cancelIncident } from '#lib/actions/api-keys.ts';
import type { Incident, IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { countOf } from '#lib/count.ts';
import { refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { formatDuration } from '#lib/time.ts';
import { LazyApiKeyDialog } from '../actions/lazy-api-key-dialog.tsx';
import { useApiKeyActions } from '../actions/use-api-key-actions.ts';
import { incidentsPath } from '../api-key-path.ts';
import { unconfirmedToken } from '../unconfirmed-token.ts';
import { describeIncidentOutcome, incidentTitle, keysOf } from './describe-incident.ts';
import { ResultTable } from './result-table.tsx';

type IncidentResultPageProps = {
  session: Session;
  /** From the URL. */
  uuid: string;
  renderedAt: string;
};

/** The page of one incident: the result for each key, and where its new token is shown. */
export function IncidentResultPage({ session, uuid, renderedAt }: IncidentResultPageProps) {
  const { account } = session;
  const now = useNow() ?? new Date(renderedAt);
  const { actions, shownDialog, dialog } = useApiKeyActions(session, now);
  const read = useQuery({
    ...routeQuery(account.id, 'getIncident', { params: { incident: uuid } }),
    refetchInterval: ({ state: { data: latest, error: latestError } }) =>
      latest?.state === 'running' && refetchDelay(latestError, refetchMs),
  });
  const { data, error } = read;
  const { data: apiKeys, refetch: refetchKeys } = useQuery({
    ...routeQuery(account.id, 'listApiKeys'),
    // While a dialog may show a token, a refetch must not rerender what is below it.
    refetchOnWindowFocus: shownDialog === null,
    refetchOnReconnect: shownDialog === null,
  });
  const incident = dataIfPermitted(data, error);
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, apiKeys);
  const done = incident?.counts.done;
  useEffect(() => {
    // The keys have other tokens now.
    if (done !== undefined && done > 0) void refetchKeys();
  }, [done, refetchKeys]);

  const keyOf = (one: { uuid: string }) => apiKeys?.find((apiKey) => apiKey.uuid === one.uuid);
  const failed = (incident?.keys ?? []).filter((one) => {
    const apiKey = keyOf(one);
    if (one.result !== 'failed' || apiKey === undefined) return false;
    return !isEndedState(apiKeyState(apiKey, now));
  });
  const hidden = incident?.keys.filter((one) => {
    const apiKey = keyOf(one);
    return apiKey && unconfirmedToken(apiKey)?.unconfirmed.shown_to === null;
  });

  return (
    <>
      <PageHeading
        crumb={{ href: incidentsPath, label: 'Incidents' }}
        title={incident ? incidentTitle(incident) : 'Incident'}
        sentence={incident?.reason}
      />
      <ReadFailure what="The incident" noun="incidents" read={read} />
      {incident && (
        <div className="@container grid gap-10 max-sm:gap-8">
          <Progress incident={incident} accountId={account.id} />
          <Section title="Keys">
            {incident.state !== 'running' && failed.length > 0 && (
              <TryAgain
                key={incident.uuid}
                incident={incident}
                failed={failed}
                accountId={account.id}
                onStale={() => void refetchKeys()}
              />
            )}
            {incident.act === 'rotate' && hidden && hidden.length > 0 && (
              <Note>
                <strong>
                  {countOf(hidden.length, 'key has', 'keys have')} a new token that has not been
                  shown yet.
                </strong>{' '}
                Show a token only when you are ready to use it: each is shown once. You can replace
                a lost token if it was never used.
              </Note>
            )}
            <ResultTable
              incident={incident}
              keyOf={keyOf}
              canShow={(apiKey) => actions.unconfirmedOptionsFor(apiKey).canReplace}
              onShow={actions.onShowNewToken}
            />
          </Section>
          <Section title="How this incident was started">
            <IncidentOrigin incident={incident} />
          </Section>
        </div>
      )}
      <LazyApiKeyDialog
        {...dialog}
        latestApiKey={shownDialog ? keyOf(shownDialog.apiKey) : undefined}
        finalFocus={finalFocus}
      />
    </>
  );
}

const refetchMs = 1000;

function Progress({ incident, accountId }: { incident: IncidentWithKeys; accountId: string }) {
  const { run, ...action } = useAction();
  const client = useQueryClient();
  const all = keysOf(incident);
  const finished = all - incident.counts.waiting;
  const params = { incident: incident.uuid };
  const { queryKey } = routeQuery(accountId, 'getIncident', { params });

  function cancel() {
    run(() => cancelIncident({ params }), {
      onDone: async ({ data }) => {
        // The response to a read in progress would be older than this one.
        await client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, data);
      },
    });
  }

  const text = `${finished} of ${countOf(all, 'key')}`;
  const isRunning = incident.state === 'running';
  const isAllDone = !isRunning && incident.counts.done === all && action.failure === null;
  return (
    // While nothing is visible in it, it must not take space in the page's grid.
    <div className={isAllDone ? 'sr-only' : 'grid grid-cols-[minmax(0,1fr)] gap-2'}>
      <p role="status" className={isRunning ? 'sr-only' : 'text-ink-2'}>
        {isRunning ? 'The incident is running.' : describeIncidentOutcome(incident)}
        {incident.cancelled_by && ` by ${incident.cancelled_by.name}`}
        {!isRunning && '.'}
      </p>
      {isRunning && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Meter
            role="progressbar"
            label="Progress"
            value={finished}
            max={Math.max(1, all)}
            text={text}
            className="w-auto min-w-40 flex-1"
          />
          <span className="text-small text-ink-2 tabular-nums">{text}</span>
          <ActionButton focusesTitleOnRemoval size="small" action={action} onClick={cancel}>
            Cancel the rest
          </ActionButton>
        </div>
      )}
      {isRunning && (
        <p className="text-small text-ink-3">It continues if you reload or leave this page.</p>
      )}
      <ActionProblem
        action={action}
        notDone="The incident was not cancelled"
        unknown="We could not confirm whether the incident was cancelled"
        adviceIfUnknown="Trying again is safe."
      />
    </div>
  );
}

function IncidentOrigin({ incident }: { incident: Incident }) {
  const { grace_period_seconds: grace } = incident;
  const facts = [
    { label: 'By', value: incident.created_by.name },
    { label: 'On', value: <ExactTime value={incident.created_at} /> },
    ...(grace === null ? [] : [{ label: 'Old tokens ended', value: graceText(grace) }]),
    {
      label: 'Incident ID',
      value: (
        <code translate="no" className="code">
          {incident.uuid}
        </code>
      ),
    },
  ];
  return <Facts facts={facts} />;
}

function graceText(seconds: number): string {
  return seconds === 0 ? 'Immediately' : `After ${formatDuration(seconds)}`;
}

type TryAgainProps = {
  incident: IncidentWithKeys;
  failed: readonly { uuid: string }[];
  accountId: string;
  /** Called when the keys must be read again. */
  onStale: () => void;
};

/** Opens the dialog that starts an incident with the keys that failed in an earlier one. */
function TryAgain({ incident, failed, accountId, onStale }: TryAgainProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-2">
      <p className="min-w-0 flex-1 basis-60">
        {countOf(failed.length, 'key')} failed and {failed.length === 1 ? 'was' : 'were'} not
        changed.
      </p>
      <Button ref={button} icon={<RotateCw />} onClick={() => setIsOpen(true)}>
        Try again with {countOf(failed.length, 'key')}
      </Button>
      <LazyDialog
        isOpen={isOpen}
        act={incident.act}
        keys={failed}
        earlier={{ grace: incident.grace_period_seconds ?? 0, reason: incident.reason }}
        accountId={accountId}
        finalFocus={button}
        onStale={onStale}
        onClose={() => setIsOpen(false)}
      />
    </div>
  );
}

const LazyDialog = lazyDialog(async () => (await import('./start-incident.tsx')).StartIncident);
