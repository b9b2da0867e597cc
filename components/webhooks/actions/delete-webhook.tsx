'use client';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useConfirmedAction } from '#components/shell/actions/use-confirmed-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { Fact } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { deleteWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { formatCountdown } from '#lib/time.ts';

import { WholeAddress } from '../address.tsx';

type DeleteWebhookProps = {
  webhook: Webhook;
  /** Whether it was triggered within the last week, so that its name must be typed. */
  isInUse: boolean;
  onClose: () => void;
  /** Called after the webhook was deleted, by this person or by somebody else before. */
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
  const { run, isPending, failure, secondsLeft } = useConfirmedAction(
    () => deleteWebhook(webhook.uuid),
    onDeleted,
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action={`Delete ${webhook.name}`}
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
      disabledReason={rateLimitReason(secondsLeft)}
      onConfirm={run}
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
