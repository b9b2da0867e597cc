import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import {
  GracePeriodField,
  labelGrace,
} from '#components/shell/grace-period/grace-period-field.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { previewIncident, startIncident } from '#lib/actions/api-keys.ts';
import type {
  IncidentPreview,
  PreviewedKey,
  PreviewIncidentInput,
  CountedCalls,
} from '#lib/contract/api-keys/incidents/incident-preview.ts';
import {
  type IncidentAct,
  incidentConfirmation,
  incidentWords,
} from '#lib/contract/api-keys/incidents/incident-words.ts';
import { offerGrace } from '#lib/contract/fields/grace-period.ts';
import { countOf } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { incidentPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { describeEffect, describeKeysInUse, describeLastDay } from './describe-incident.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';

type StartIncidentProps = DialogClosing & {
  act: IncidentAct;
  keys: readonly { uuid: string }[];
  /** The settings of the earlier incident, if these are keys that failed in it. */
  earlier?: { grace: number; reason: string } | undefined;
  accountId: string;
  /** Called when the keys must be read again. */
  onStale: () => void;
};

/**
 * Shows what would stop working, asks for a reason, for what cannot be undone also for a typed
 * confirmation, and starts the incident.
 */
export function StartIncident(props: StartIncidentProps) {
  const { act, keys: chosen, earlier, accountId, onStale, ...dialog } = props;
  // As they were when the dialog opened, so that the incident covers exactly the keys that the
  // person saw.
  const [keys] = useState(() => chosen.map(({ uuid }) => uuid));
  const { choices, selected } = offerGrace({ preferred: earlier?.grace ?? 0, mayEndTokens: true });
  const [gracePeriod, setGracePeriod] = useState(selected);
  const [reason, setReason] = useState(earlier?.reason ?? '');
  const { run, ...action } = useAction();
  const client = useQueryClient();
  const { goTo } = useNavigation();
  const fullPath = useFullPath();
  const asked: PreviewIncidentInput = {
    act,
    keys,
    ...(act === 'rotate' && { grace_period_seconds: gracePeriod }),
  };
  const { value, failedAction } = useLatestResult({
    key: `${act} ${gracePeriod}`,
    call: () => previewIncident({ body: asked }),
  });
  const words = incidentConfirmation(act, keys.length);
  const isOne = keys.length === 1;
  const { verb } = incidentWords[act];
  const reasonError = action.failure?.details?.['reason']?.join(' ');

  function start() {
    const confirmed = words !== null && { confirmation: words };
    run(() => startIncident({ body: { ...asked, reason, ...confirmed } }), {
      onDone: ({ data: incident }) => {
        client.setQueryData(
          routeQuery(accountId, 'getIncident', { params: { incident: incident.uuid } }).queryKey,
          incident,
        );
        void client.invalidateQueries(queriesAbout('incidents', accountId));
        goTo(fullPath(incidentPath(incident)));
      },
      onFailure: (failure, show) => {
        show(failure);
        onStale();
      },
    });
  }

  return (
    <FormDialog
      title={`${verb} ${countOf(keys.length, 'key')}`}
      sentence={describeEffect(act, keys.length)}
      form={{ ...action, ...(reasonError !== undefined && { failure: null }), onConfirm: start }}
      buttons={{
        tone: act === 'revoke' ? 'danger' : 'primary',
        disabledReason: disabledReasonOf({ isPreviewed: value !== null, reason }),
      }}
      {...(words !== null && { typedWords: words })}
      failure={{
        adviceIfUnknown:
          'It may have started. Close this dialog and check the page before you try again.',
      }}
      {...dialog}
    >
      {act === 'rotate' && (
        <GracePeriodField
          legend={isOne ? 'The old token ends' : 'The old tokens end'}
          choices={labelGrace(choices)}
          value={gracePeriod}
          onChange={setGracePeriod}
          help={
            gracePeriod === 0
              ? 'Immediately, so that a leaked token no longer works.'
              : `Until then, anyone who has ${isOne ? 'the' : 'an'} old token can use it. Older tokens keep their current end times.`
          }
        />
      )}
      {value === null && failedAction === null && (
        <IncidentImpactSkeleton act={act} keyCount={keys.length} />
      )}
      {value && <IncidentImpact act={act} preview={value.data} />}
      {failedAction && (
        <FailedActionPanel
          failedAction={failedAction}
          notDone="The preview could not be loaded"
          unknown="The preview could not be loaded"
        />
      )}
      <Field
        label={words === null ? 'Reason' : 'What happened'}
        help={`Your team sees it with ${isOne ? 'the' : 'every'} key and in the audit log.`}
        error={reasonError}
      >
        <Input
          value={reason}
          maxLength={100}
          autoComplete="off"
          placeholder={words === null ? 'Moving to a new server' : 'Robin’s laptop was stolen'}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

type Obstacles = { isPreviewed: boolean; reason: string };

function disabledReasonOf({ isPreviewed, reason }: Obstacles): string | undefined {
  if (!isPreviewed) return 'Wait until the preview has loaded.';
  return reason.trim() === '' ? 'Enter a reason first.' : undefined;
}

/** What would stop working: in total, and for each key. */
function IncidentImpact({ act, preview }: { act: IncidentAct; preview: IncidentPreview }) {
  const { totals, keys, counted } = preview;
  const facts: Fact[] = [{ label: incidentWords[act].label, value: countOf(totals.keys, 'key') }];
  if (act !== 'resume') {
    facts.push({
      label: act === 'pause' ? 'Refused' : 'End now',
      value: `${countOf(totals.tokens_ending_now, 'token')}, ${callsPerHour(totals.calls_ending_now)}`,
    });
  }
  if (totals.tokens_ending_later > 0) {
    facts.push({
      label: 'End later',
      value: `${countOf(totals.tokens_ending_later, 'token')}, ${callsPerHour(totals.calls_ending_later)}`,
    });
  }
  if (act !== 'resume') {
    facts.push(
      { label: 'Last 24 h', value: describeLastDay(preview) },
      { label: 'In use now', value: describeKeysInUse(preview) },
    );
  }
  if (totals.skipped > 0)
    facts.push({ label: 'Not changed', value: countOf(totals.skipped, 'key') });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div role="status">
        <Facts facts={facts} />
      </div>
      <ul
        aria-label={act === 'resume' ? 'The keys' : 'Calls that would end, by key'}
        // It scrolls, so it must take the focus.
        tabIndex={0}
        className="grid max-h-44 grid-cols-[minmax(0,1fr)] overflow-y-auto rounded-3 border border-line-strong px-3 py-1"
      >
        {keys.toSorted(byCalls).map((key) => (
          <KeyThatWouldEnd key={key.uuid} apiKey={key} />
        ))}
      </ul>
      <CallCountsNote counted={counted} />
    </div>
  );
}

function KeyThatWouldEnd({ apiKey }: { apiKey: PreviewedKey }) {
  const { calls_ending_now: now, calls_ending_later: later } = apiKey;
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5 last:border-0">
      <span className="min-w-0 wrap-anywhere">
        {apiKey.name} <MaskedToken lastFour={apiKey.last_four} form="short" />
      </span>
      <span className="text-small text-ink-3 tabular-nums">
        {apiKey.skip_reason ??
          [callsPerHour(now + later), apiKey.is_in_use && 'in use now'].filter(Boolean).join(', ')}
      </span>
    </li>
  );
}

/** As high as what it stands for usually is, so that the fields below it hardly move. */
function IncidentImpactSkeleton({ act, keyCount }: { act: IncidentAct; keyCount: number }) {
  const shownKeys = Math.min(keyCount, 5);
  return (
    <div aria-hidden className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Facts
        facts={[incidentWords[act].label, 'End now', 'Last 24 h', 'In use now'].map(
          (label, index) => ({ label, value: <Skeleton width={120 + 30 * index} /> }),
        )}
      />
      <div className="grid max-h-44 overflow-hidden rounded-3 border border-line-strong px-3 py-1">
        {Array.from({ length: shownKeys }, (_, index) => (
          <div key={index} className="border-b border-line py-1.5 last:border-0">
            <Skeleton width={180 + 20 * (index % 3)} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** "0 calls an hour", "1 call an hour" */
function callsPerHour(count: number): string {
  return `${countOf(count, 'call')} an hour`;
}

function byCalls(a: PreviewedKey, b: PreviewedKey): number {
  const calls = (key: PreviewedKey) => key.calls_ending_now + key.calls_ending_later;
  return calls(b) - calls(a) || a.name.localeCompare(b.name, 'en');
}

type CallCountsNoteProps = { counted: CountedCalls };

/** Shows which hours the numbers of calls cover. */
function CallCountsNote({ counted: { hour_from: hour, day_from: day } }: CallCountsNoteProps) {
  return (
    <p className="text-small text-pretty text-ink-3">
      {hour === day ? (
        <>
          Calls are counted by the hour, here since <ExactTime form="short" value={hour} />.
        </>
      ) : (
        <>
          Calls are counted by the hour: “an hour” is the average since{' '}
          <ExactTime form="short" value={hour} />, “24&nbsp;h” everything since{' '}
          <ExactTime form="short" value={day} />.
        </>
      )}{' '}
      Calls of the last 10 seconds may be missing. A job that runs once a week may show no calls.
    </p>
  );
}
