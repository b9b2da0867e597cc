'use client';

import { type SubmitEvent, useId, useState, useTransition } from 'react';

import { cancelDisabledReason } from '#components/shell/actions/cancel-disabled-reason.ts';
import {
  type Deadline,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useActionFailure } from '#components/shell/actions/use-action-failure.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { createReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/replays.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

import { EventCount } from './event-count.tsx';
import {
  defaultDraft,
  parseDraft,
  type ReplayDraft,
  type WindowErrors,
  windowErrorsFrom,
} from './replay-draft.ts';
import { ReplayFailure } from './replay-failure.tsx';
import { replayLabel } from './describe-replay.ts';
import { type ReplayCount, useReplayCount } from './use-replay-count.ts';
import { WindowFields } from './window-fields.tsx';

export type ReplayDialogProps = {
  webhook: Webhook;
  finalFocus: FocusTarget;
  onClose: () => void;
  onStarted: (replay: Replay) => void;
  /** Shows the progress of the replay that is running already. @param uuid */
  onFollow: (uuid: string) => void;
};

/**
 * The dialog to start a replay. It asks for a window and which events, and shows how many they are.
 */
export function ReplayDialog({
  webhook,
  finalFocus,
  onClose,
  onStarted,
  onFollow,
}: ReplayDialogProps) {
  const formId = useId();
  const [draft, setDraft] = useState<ReplayDraft>(defaultDraft);
  // The time from which presets count back. It is kept, so that the replay has the counted events.
  const [referenceTime, setReferenceTime] = useState(() => new Date());
  const [serviceErrors, setServiceErrors] = useState<WindowErrors>({});
  const [showsDraftErrors, setShowsDraftErrors] = useState(false);
  const { failure, setFailure, handleFailure, ...rateLimit } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const runAction = useRunAction();
  const parsed = parseDraft(draft, referenceTime);
  const count = useReplayCount(
    webhook.uuid,
    parsed.ok ? parsed.input : null,
    referenceTime.getTime(),
  );
  const deadline = laterDeadline(
    rateLimit.deadline,
    count.state === 'failed' ? count.deadline : null,
  );
  const secondsLeft = useSecondsLeft(deadline);
  const draftErrors = parsed.ok ? {} : parsed.errors;
  const errors = { ...(showsDraftErrors && draftErrors), ...serviceErrors };

  function change(part: Partial<ReplayDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setReferenceTime(new Date());
    setServiceErrors({});
    setFailure(null);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!parsed.ok) {
      setShowsDraftErrors(true);
      focusFirstInvalid();
      return;
    }
    const { input } = parsed;
    setFailure(null);
    startTransition(async () => {
      const result = await runAction(() => createReplay(webhook.uuid, input));
      if (result.ok) onStarted(result.replay);
      else handleFailure(result, showFailure);
    });
  }

  function showFailure(result: ActionFailure) {
    const found = draft.preset === 'custom' ? windowErrorsFrom(result.details) : {};
    setServiceErrors(found);
    focusFirstInvalid();
    if (Object.keys(found).length === 0) setFailure(result);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      isLocked={isPending}
      title={`Replay a window to ${webhook.name}`}
      sentence="What happened in it is sent again, behind what is new."
      finalFocus={finalFocus}
      footer={
        <>
          <Button onClick={onClose} disabledReason={cancelDisabledReason(isPending)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isPending}
            disabledReason={
              isPending ? undefined : (rateLimitReason(secondsLeft) ?? disabledReasonOf(count))
            }
            className="tabular-nums max-sm:flex-[2]!"
          >
            {replayLabel(count.state === 'counted' ? count.count : null)}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        method="post"
        noValidate
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] gap-5"
      >
        <WindowFields
          draft={draft}
          parsed={parsed}
          errors={errors}
          now={referenceTime}
          onChange={change}
          onBlur={() => setShowsDraftErrors(true)}
        />
        <RadioCards
          legend="Which events"
          name="status"
          cards={CARDS}
          value={draft.status}
          onChange={(status) => change({ status })}
          help={
            <>
              Each has the <span className="code-micro">webhook-id</span> it had before, and{' '}
              <span className="code-micro">webhook-replay</span> beside it.
            </>
          }
        />
      </form>
      <EventCount
        count={count}
        isWaiting={secondsLeft > 0}
        onCountAgain={() => setReferenceTime(new Date())}
      />
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && <ReplayFailure failure={failure} which={draft.status} onFollow={onFollow} />}
    </Dialog>
  );
}

const CARDS = [
  {
    value: 'failed',
    label: 'What failed or was never delivered',
    description: 'What your server took already is left alone.',
  },
  {
    value: 'all',
    label: 'Everything, delivered ones too',
    description: 'What your server took already comes again; it can tell by the webhook-id.',
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
      return 'It is not known how many events these are. Count them again first.';
    case 'counted':
      return count.count === 0 ? 'There is nothing to send in this window.' : undefined;
  }
}

function laterDeadline(one: Deadline | null, other: Deadline | null): Deadline | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
