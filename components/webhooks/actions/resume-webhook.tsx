'use client';

import { useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { laterDeadline, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import type { Fact } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { countMissedEvents, updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';

import { WholeUrl } from '../url.tsx';
import { CountFailure } from '../count-failure.tsx';
import { deactivationReason } from '../webhook-conditions.ts';
import { type Backlog, backlogChoices } from './backlog-choices.ts';

/** How many events happened while the webhook was inactive, or why they could not be counted. */
export type MissedEventCount = ActionResult<{ count: number }>;

type ResumeWebhookProps = {
  webhook: Webhook;
  missed: MissedEventCount;
  finalFocus: FocusTarget;
  onClose: () => void;
  /** Called with the resumed webhook. */
  onResumed: (webhook: Webhook) => void;
  /** Called if somebody else deleted the webhook. */
  onNotFound: () => void;
};

/**
 * The dialog to resume a webhook. It asks whether to deliver or skip the events that happened
 * meanwhile.
 */
export function ResumeWebhook({
  webhook,
  missed: missedAtFirst,
  finalFocus,
  onClose,
  onResumed,
  onNotFound,
}: ResumeWebhookProps) {
  const [missed, setMissed] = useState(missedAtFirst);
  const [backlog, setBacklog] = useState<Backlog>('deliver');
  const { run, ...action } = useAction();
  const counting = useAction(missedAtFirst.ok ? null : missedAtFirst);
  const deadline = laterDeadline(action.deadline, counting.deadline);
  const secondsLeft = useSecondsLeft(deadline);
  const hasChoice = missed.ok && missed.count > 0;

  function resume() {
    // If none was counted, `backlog` is "deliver": an event may have happened since the count.
    const input = { is_active: true, ...(missed.ok && { backlog }) };
    run(() => updateWebhook(webhook.uuid, input), {
      onDone: (result) => onResumed(result.webhook),
      onNotFound,
    });
  }

  function countAgain() {
    counting.run(() => countMissedEvents(webhook.uuid, webhook.inactive_since ?? ''), {
      onDone: ({ count }) => setMissed({ ok: true, count }),
      onNotFound,
      onFailure: setMissed,
    });
  }

  return (
    <ActionDialog
      title={`Resume ${webhook.name}`}
      confirmLabel={hasChoice ? labels[backlog] : `Resume ${webhook.name}`}
      sentence="Events are sent to it again from now on."
      facts={factsOf(webhook, missed)}
      action={{ ...action, deadline, secondsLeft }}
      keepsInput={hasChoice}
      notDone={`${webhook.name} was not resumed`}
      unknown={`We could not confirm whether ${webhook.name} was resumed`}
      adviceIfUnknown="Trying again is safe."
      onConfirm={resume}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {hasChoice && (
        <RadioCards
          legend="Events since then"
          name="backlog"
          cards={backlogChoices(missed.count)}
          value={backlog}
          onChange={setBacklog}
        />
      )}
      {!missed.ok && secondsLeft === 0 && (
        <CountFailure
          title="The events since then could not be counted"
          failure={missed}
          isCounting={counting.isPending}
          onCountAgain={countAgain}
        >
          You can resume without a count: waiting retries continue, but the events since then are
          not sent. You can send them later with “Replay a window” on Deliveries.
        </CountFailure>
      )}
    </ActionDialog>
  );
}

const labels: Record<Backlog, string> = {
  deliver: 'Resume and deliver',
  skip: 'Resume and skip',
};

function factsOf(webhook: Webhook, missed: MissedEventCount): Fact[] {
  const isPaused = webhook.status === 'paused';
  const since = webhook.inactive_since;
  return [
    { label: 'URL', value: <WholeUrl url={webhook.url} /> },
    {
      label: isPaused ? 'Paused' : 'Deactivated',
      value: (
        <>
          {since !== null && <ExactTime value={since} />}
          {!isPaused && (
            <span className="block text-small text-pretty text-ink-3">
              {deactivationReason(webhook.inactive_reason)}
            </span>
          )}
        </>
      ),
    },
    ...(missed.ok ? [{ label: 'Since then', value: describeMissedEvents(missed.count) }] : []),
  ];
}

function describeMissedEvents(count: number): string {
  return countOf(count, 'matching event');
}
