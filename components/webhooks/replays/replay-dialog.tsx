'use client';

import { useId, useState } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { laterDeadline, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { createReplay } from '#lib/actions/webhooks.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import { EventCount } from './event-count.tsx';
import { defaultDraft, type ReplayDraft, toReplayInput, validateDraft } from './replay-draft.ts';
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
 * The dialog to start a replay. It asks for a window and which events to send, and shows their
 * number.
 */
export function ReplayDialog({
  webhook,
  finalFocus,
  onClose,
  onStarted,
  onFollow,
}: ReplayDialogProps) {
  const formId = useId();
  // The time from which presets count back. It is kept, so that the replay has the counted events.
  const [referenceTime, setReferenceTime] = useState(() => new Date());
  const [wasLeft, setWasLeft] = useState(false);
  const runAction = useRunAction();
  const form = useForm({
    initial: defaultDraft,
    validate: (values) => validateDraft(values, referenceTime),
    shownFields: ({ preset }) => (preset === 'custom' ? ['since', 'until'] : []),
    send: (values) =>
      runAction(() =>
        createReplay({
          params: { webhook: webhook.uuid },
          body: toReplayInput(values, referenceTime),
        }),
      ),
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
      sentence="Events in this window are sent again, along with new events."
      form={{ ...form, deadline, secondsLeft }}
      buttons={{
        confirm: replayLabel(count.state === 'counted' ? count.size.count : null),
        disabledReason: disabledReasonOf(count),
      }}
      failure={(failure) => (
        <ReplayFailure failure={failure} which={draft.status} onFollow={onFollow} />
      )}
      onClose={onClose}
      finalFocus={finalFocus}
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
            Each has the same{' '}
            <span translate="no" className="code-micro">
              webhook-id
            </span>{' '}
            as before, and the header{' '}
            <span translate="no" className="code-micro">
              webhook-replay
            </span>
            .
          </>
        }
      />
      <FieldGroup legend="Also send" noteId={`${formId}-also`}>
        <div className="grid gap-2">
          <Checkbox
            label="What waits for a retry, now"
            description="It keeps its automatic retries in case it fails again."
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
    label: 'What failed or was never delivered',
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
      return 'It is not known how many events these are. Count them again first.';
    case 'counted':
      return count.size.count === 0 ? 'There is nothing to send in this window.' : undefined;
  }
}
