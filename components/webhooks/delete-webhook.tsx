'use client';

import { useState, useTransition } from 'react';

import { leavesToSignIn } from '#components/shell/leave-to-sign-in.ts';
import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import {
  type Deadline,
  deadlineAfter,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import type { Fact } from '#components/ui/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/time.tsx';
import { settle } from '#lib/actions/settle.ts';
import { deleteWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { formatCountdown } from '#lib/time.ts';

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
  const [problem, setProblem] = useState<string | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isPending, startTransition] = useTransition();
  const secondsLeft = useSecondsLeft(deadline);

  function remove() {
    setProblem(null);
    startTransition(async () => {
      const result = await settle(deleteWebhook(webhook.uuid));
      if (result.ok || result.code === 'NOT_FOUND') onDeleted();
      else if (result.code === 'RATE_LIMIT_EXCEEDED')
        setDeadline(deadlineAfter(result.retryAfter ?? 60));
      else if (!leavesToSignIn(result)) {
        const request = result.requestId === undefined ? '' : ` Request ${result.requestId}`;
        setProblem(result.message + request);
      }
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
      error={
        secondsLeft > 0
          ? `Too many requests. Try again in ${formatCountdown(secondsLeft)}.`
          : problem
      }
      refused={waitReason(secondsLeft)}
      onConfirm={remove}
      finalFocus={finalFocus}
    />
  );
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
    { label: 'Address', value: <span className="code">{url}</span> },
    { label: 'Events', value: <span className="code">{events.join(', ')}</span> },
    { label: 'Created', value: <ExactTime value={created} /> },
  ];
}
