'use client';

import { useId, useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { DialogForm } from '#components/shell/actions/dialog-form.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { laterDeadline, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { createReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

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
  const { run, clearFailure, ...action } = useAction();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const parsed = parseDraft(draft, referenceTime);
  const count = useReplayCount(
    webhook.uuid,
    parsed.ok ? parsed.input : null,
    referenceTime.getTime(),
  );
  const deadline = laterDeadline(action.deadline, count.state === 'failed' ? count.deadline : null);
  const secondsLeft = useSecondsLeft(deadline);
  const draftErrors = parsed.ok ? {} : parsed.errors;
  const errors = { ...(showsDraftErrors && draftErrors), ...serviceErrors };

  function change(part: Partial<ReplayDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setReferenceTime(new Date());
    setServiceErrors({});
    clearFailure();
  }

  function submit() {
    if (!parsed.ok) {
      setShowsDraftErrors(true);
      focusFirstInvalid();
      return;
    }
    const { input } = parsed;
    run(() => createReplay(webhook.uuid, input), {
      onDone: ({ replay }) => onStarted(replay),
      onFailure: showFailure,
    });
  }

  function showFailure(failure: ActionFailure, show: (failure: ActionFailure) => void) {
    const found = draft.preset === 'custom' ? windowErrorsFrom(failure.details) : {};
    setServiceErrors(found);
    focusFirstInvalid();
    if (Object.keys(found).length === 0) show(failure);
  }

  return (
    <ActionDialog
      title={`Replay a window to ${webhook.name}`}
      confirmLabel={replayLabel(count.state === 'counted' ? count.count : null)}
      sentence="Events in this window are sent again, after new events."
      action={{ ...action, deadline, secondsLeft }}
      disabledReason={disabledReasonOf(count)}
      keepsInput
      failurePanel={
        action.failure && (
          <ReplayFailure failure={action.failure} which={draft.status} onFollow={onFollow} />
        )
      }
      formId={formId}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} form={form} onSubmit={submit}>
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
              Each has the same <span className="code-micro">webhook-id</span> as before, and the
              header <span className="code-micro">webhook-replay</span>.
            </>
          }
        />
      </DialogForm>
      <EventCount
        count={count}
        isWaiting={secondsLeft > 0}
        onCountAgain={() => setReferenceTime(new Date())}
      />
    </ActionDialog>
  );
}

const CARDS = [
  {
    value: 'failed',
    label: 'What failed or was never delivered',
    description: 'Events that your server has accepted are not sent again.',
  },
  {
    value: 'all',
    label: 'All events, including delivered ones',
    description: 'Events that your server has accepted are sent again, with the same webhook-id.',
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
