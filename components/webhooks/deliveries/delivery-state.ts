import type { StatusMark } from '#components/ui/data-display/status.tsx';
import type { Delivery } from '#lib/contract/deliveries/deliveries.ts';
import { formatRemaining } from '#lib/time.ts';

/** The status of a delivery at `now`. A pending delivery of an inactive webhook is held. */
export function deliveryState(
  delivery: Pick<Delivery, 'status' | 'next_attempt_at'>,
  { isWebhookActive, now }: { isWebhookActive: boolean; now: Date },
): { mark: StatusMark; label: string } {
  switch (delivery.status) {
    case 'delivered':
      return { mark: 'ok', label: 'Delivered' };
    case 'failed':
      return { mark: 'failed', label: 'Failed' };
    case 'cancelled':
      return { mark: 'ended', label: 'Cancelled' };
    case 'pending': {
      if (!isWebhookActive) return { mark: 'paused', label: 'Held' };
      const next = delivery.next_attempt_at === null ? now : new Date(delivery.next_attempt_at);
      return next <= now
        ? { mark: 'waiting', label: 'Due now' }
        : { mark: 'waiting', label: `Next in ${formatRemaining(next, now)}` };
    }
  }
}
