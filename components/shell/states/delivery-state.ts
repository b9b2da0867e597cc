import type { StatusMark } from '#components/ui/data-display/status.tsx';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { countOf } from '#lib/count.ts';
import { formatRemaining } from '#lib/time.ts';

/** The status of a delivery at `now`. A pending delivery of an inactive webhook is on hold. */
export function deliveryState(
  delivery: Pick<Delivery, 'status' | 'attempt_count' | 'next_attempt_at' | 'last_error'>,
  { isWebhookActive, now }: { isWebhookActive: boolean; now: Date },
): { mark: StatusMark; label: string } {
  const { attempt_count: attempts } = delivery;
  const afterAttempts = attempts > 1 ? ` after ${countOf(attempts, 'attempt')}` : '';
  switch (delivery.status) {
    case 'delivered':
      return { mark: 'ok', label: `Delivered${afterAttempts}` };
    case 'failed':
      return { mark: 'failed', label: `Failed${afterAttempts}` };
    case 'cancelled':
      return { mark: 'ended', label: 'Cancelled' };
    case 'pending': {
      if (!isWebhookActive) return { mark: 'paused', label: 'On hold' };
      const next = delivery.next_attempt_at === null ? now : new Date(delivery.next_attempt_at);
      // A delivery that is sent again after a success has no error.
      const isRetrying = attempts > 0 && delivery.last_error !== null;
      if (next <= now)
        return { mark: 'waiting', label: isRetrying ? 'Retrying now' : 'Sending now' };
      const label = `${isRetrying ? 'Retrying' : 'Sending'} in ${formatRemaining(next, now)}`;
      return { mark: 'waiting', label };
    }
  }
}
