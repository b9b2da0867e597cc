import { Send } from 'lucide-react';
import { useId, useState } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { laterDeadline, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { createReplay } from '#lib/actions/webhooks.ts';
import type { Replay, ReplayInput, ReplaySize } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { findUuid } from '#lib/find-uuid.ts';
import { CountFailure } from '../count-failure.tsx';
import { describeCount, describeKinds, replayLabel } from './describe-replay.ts';
import { defaultDraft, type ReplayDraft, toReplayInput, validateDraft } from './replay-draft.ts';
import { WindowFields } from './window-fields.tsx';

type ReplayDialogProps = DialogClosing & {
  webhook: Webhook;
  onStarted: (replay: Replay) => void;
  /** Shows the progress of the replay that is running already. @param uuid */
  onFollow: (uuid: string) => void;
};

/** Starts a replay. It asks for a window and which events to send, and shows their number. */
export function ReplayDialog({ webhook, onStarted, onFollow, ...dialog }: ReplayDialogProps) {
  const formId = useId();
  // The time from which presets count back. It is kept, so that the replay has the counted events.
  const [referenceTime, setReferenceTime] = useState(() => new Date());
  const [wasLeft, setWasLeft] = useState(false);
  const form = useForm({
    initial: defaultDraft,
    validate: (values) => validateDraft(values, referenceTime),
    shownFields: ({ preset }) => (preset === 'custom' ? ['since', 'until'] : []),
    send: (values) =>
      createReplay({
        params: { webhook: webhook.uuid },
        body: toReplayInput(values, referenceTime),
      }),
    onDone: ({ data }) => {
      if ('uuid' in data) onStarted(data);
    },
  });
  const draft = form.values;
  const draftErrors = validateDraft(draft, referenceTime);
  const isValid = Object.keys(draftErrors).length === 0;
  const input = isValid ? toReplayInput(draft, referenceTime) : null;
  const count = useReplayCount(webhook.uuid, input, referenceTime.getTime());
  const deadline = laterDeadline(form.deadline, count.state === 'failed' ? count.deadline : null);
  const secondsLeft = useSecondsLeft(deadline);

  function change(part: Partial<ReplayDraft>) {
    // An error at one end of the window may be about the other.
    form.change({ since: draft.since, until: draft.until, ...part });
    form.clearFailure();
    setReferenceTime(new Date());
  }

  return (
    <FormDialog
      title={`Replay events to ${webhook.name}`}
      sentence={`Events in this window are sent again, along with new events.${webhook.filter === null ? '' : ' The filter applies to those that have no delivery, so fewer may be sent.'}`}
      form={{ ...form, deadline, secondsLeft }}
      buttons={{
        confirm: replayLabel(count.state === 'counted' ? count.size.count : null),
        disabledReason: disabledReasonOf(count),
      }}
      failure={
        form.failure && (
          <ReplayFailure failure={form.failure} which={draft.status} onFollow={onFollow} />
        )
      }
      {...dialog}
    >
      <WindowFields
        draft={draft}
        input={input}
        errors={wasLeft || form.hasTried ? { ...draftErrors, ...form.errors } : {}}
        now={referenceTime}
        onChange={change}
        onBlur={() => setWasLeft(true)}
      />
      <RadioCards
        legend="Which events"
        name="status"
        cards={cards}
        value={draft.status}
        onChange={(status) => change({ status })}
        help={
          <>
            Each has the same <Code isSmall>webhook-id</Code> as before, and the header{' '}
            <Code isSmall>webhook-replay</Code>.
          </>
        }
      />
      <FieldGroup legend="Also send" noteId={`${formId}-also`}>
        <div className="grid gap-2">
          <Checkbox
            label="Deliveries that are waiting for a retry, now"
            description="They keep their automatic retries in case they fail again."
            checked={draft.hasPending}
            onChange={({ target }) => change({ hasPending: target.checked })}
          />
          <Checkbox
            label="Events from before this webhook was created"
            description={
              <>
                It was created on <ExactTime value={webhook.created_at} />.
              </>
            }
            checked={draft.hasEarlier}
            onChange={({ target }) => change({ hasEarlier: target.checked })}
          />
        </div>
      </FieldGroup>
      <EventCount
        count={count}
        isWaiting={secondsLeft > 0}
        onCountAgain={() => setReferenceTime(new Date())}
      />
    </FormDialog>
  );
}

const cards = [
  {
    value: 'failed',
    label: 'Failed or undelivered events',
    description: 'Events that your server has accepted are not sent again.',
  },
  {
    value: 'all',
    label: 'All events, including delivered ones',
    description: 'Events that your server has accepted are sent again.',
  },
] as const;

function disabledReasonOf(count: ReplayCount): string | undefined {
  switch (count.state) {
    case 'none':
      // Not disabled: a press shows what is wrong with the window.
      return undefined;
    case 'counting':
      return 'The events are still being counted.';
    case 'failed':
      return 'The number of events is not known. Count them again first.';
    case 'counted':
      return count.size.count === 0 ? 'There is nothing to send in this window.' : undefined;
  }
}

type ReplayFailureProps = {
  failure: ActionFailure;
  which: ReplayInput['status'];
  /** Shows the progress of the replay with this uuid. */
  onFollow: (uuid: string) => void;
};

/** Why the replay was not started, and whether trying again is safe. */
function ReplayFailure({ failure, which, onFollow }: ReplayFailureProps) {
  const running = findUuid(failure.details?.['replay']?.[0] ?? '');
  if (running !== null) {
    return (
      <Banner
        tone="warn"
        title="This replay is already running"
        action={<Button onClick={() => onFollow(running)}>Show its progress</Button>}
      >
        Wait until it is done, or cancel it first.
      </Banner>
    );
  }
  return (
    <ActionFailurePanel
      failure={failure}
      notDone="The replay was not started"
      unknown="We could not confirm whether the replay was started"
      adviceIfUnknown={advice[which]}
    />
  );
}

const advice: Record<ReplayInput['status'], string> = {
  failed: 'Trying again is safe: no event is queued twice.',
  pending: 'Trying again is safe: no event is queued twice.',
  all: 'If it did, its events soon appear in the list as pending. Another replay would send them again.',
};

type EventCountProps = {
  count: ReplayCount;
  /** A rate limit applies, which `RateLimitNotice` says. */
  isWaiting: boolean;
  onCountAgain: () => void;
};

/** How many events a replay would send. Screen readers announce only the result. */
function EventCount({ count, isWaiting, onCountAgain }: EventCountProps) {
  const isShown = count.state === 'counting' || count.state === 'counted';
  return (
    <>
      <div className={isShown ? 'grid gap-1' : 'contents'}>
        <div className={isShown ? 'flex items-center gap-2.5' : 'sr-only'}>
          <span aria-hidden className="text-ink-3 [&>svg]:icon-16">
            {count.state === 'counting' ? <Spinner /> : <Send />}
          </span>
          {count.state === 'counting' && (
            <span aria-hidden className="text-ink-3">
              Counting the events
            </span>
          )}
          <p role="status" className="font-medium tabular-nums">
            {count.state === 'counted' && describeCount(count.size.count)}
          </p>
        </div>
        {count.state === 'counted' && (
          <p className="text-small text-pretty text-ink-2 tabular-nums">
            {describeKinds(count.size)}
          </p>
        )}
      </div>
      {count.state === 'failed' && !isWaiting && (
        <CountFailure
          title="The events could not be counted"
          failure={count.failure}
          onCountAgain={onCountAgain}
        />
      )}
    </>
  );
}

/** The number of events that a replay would send. */
type ReplayCount =
  /** There is no window to count events in. */
  | { state: 'none' }
  | { state: 'counting' }
  | { state: 'counted'; size: ReplaySize }
  | ({ state: 'failed' } & Pick<FailedAction, 'failure' | 'deadline'>);

/** Counts the events of a replay after each change, and again when `round` changes. */
function useReplayCount(webhook: string, input: ReplayInput | null, round: number): ReplayCount {
  const { value, failedAction } = useLatestResult(
    input && {
      key: JSON.stringify([input, round]),
      call: () => createReplay({ params: { webhook }, body: { ...input, dry_run: true } }),
    },
  );
  if (input === null) return { state: 'none' };
  if (value !== null && 'count' in value.data) return { state: 'counted', size: value.data };
  return failedAction === null ? { state: 'counting' } : { state: 'failed', ...failedAction };
}
