'use client';

import { useState, useTransition } from 'react';

import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import {
  type Deadline,
  deadlineAfter,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { isLeft, useAct } from '#components/shell/use-act.ts';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import type { Fact } from '#components/ui/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/time.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { deleteWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { formatCountdown } from '#lib/time.ts';

import { WholeAddress } from './address.tsx';

type DeleteWebhookProps = {
  webhook: Webhook;
  /** It was triggered lately, so its name must be typed. */
  isInUse: boolean;
  onClose: () => void;
  /** It is gone, by this press or by someone else's before. */
  onDeleted: () => void;
  finalFocus: FocusTarget;
};

export function DeleteWebhook({
  webhook,
  isInUse,
  onClose,
  onDeleted,
  finalFocus,
}: DeleteWebhookProps) {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isPending, startTransition] = useTransition();
  const secondsLeft = useSecondsLeft(deadline);
  const act = useAct();

  function remove() {
    setFailure(null);
    startTransition(async () => {
      const result = await act(() => deleteWebhook(webhook.uuid));
      if (result.ok || result.code === 'NOT_FOUND') onDeleted();
      else if (result.code === 'RATE_LIMIT_EXCEEDED')
        setDeadline(deadlineAfter(result.retryAfter ?? 60));
      else if (!isLeft(result)) setFailure(result);
    });
  }

  return (
    <ConfirmAct
      open
      onClose={onClose}
      act={`Delete ${webhook.name}`}
      sentence="It ends at once, and its signing secret with it. This cannot be undone."
      facts={factsOf(webhook)}
      typedName={isInUse ? webhook.name : undefined}
      pending={isPending}
      isUnknown={secondsLeft === 0 && failure !== null && isOutcomeUnknown(failure)}
      error={
        secondsLeft > 0
          ? `Too many requests. Try again in ${formatCountdown(secondsLeft)}.`
          : failure && problemOf(failure)
      }
      refused={waitReason(secondsLeft)}
      onConfirm={remove}
      finalFocus={finalFocus}
    />
  );
}

function problemOf(failure: ActionFailure): string {
  const { message, requestId } = failure;
  const advice = isOutcomeUnknown(failure) ? ' Deleting again is safe.' : '';
  return message + advice + (requestId === undefined ? '' : ` Request ${requestId}`);
}

function factsOf({
  url,
  events,
  created_at: created,
  last_triggered_at: triggered,
}: Webhook): Fact[] {
  return [
    {
      label: 'Last triggered',
      value: triggered === null ? 'Never' : <RelativeTime value={triggered} />,
    },
    { label: 'Address', value: <WholeAddress url={url} /> },
    { label: 'Events', value: <span className="code">{events.join(', ')}</span> },
    { label: 'Created', value: <ExactTime value={created} /> },
  ];
}
