import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { countOf } from '#lib/count.ts';
import { formatRemaining } from '#lib/time.ts';

/** The banner above a delivery that is not delivered. */
export type DeliverySummary = { tone: 'plain' | 'warn' | 'bad'; title: string };

/** Summarizes the status of a delivery; null if it was delivered. */
export function summarizeDelivery(
  delivery: Pick<Delivery, 'status' | 'attempt_count' | 'next_attempt_at'>,
  { isWebhookActive, now }: { isWebhookActive: boolean; now: Date },
): DeliverySummary | null {
  const { status, attempt_count: attempts, next_attempt_at: next } = delivery;
  switch (status) {
    case 'delivered':
      return null;
    case 'failed':
      return {
        tone: 'bad',
        title: attempts > 1 ? `Gave up after ${countOf(attempts, 'attempt')}` : 'Not delivered',
      };
    case 'cancelled':
      return { tone: 'plain', title: 'Cancelled before it was delivered' };
    case 'pending': {
      if (!isWebhookActive) return { tone: 'plain', title: 'On hold until the webhook is resumed' };
      const isDue = next === null || new Date(next) <= now;
      if (isDue) {
        const title = attempts > 0 ? 'The next attempt is due' : 'Sending now';
        return { tone: 'plain', title };
      }
      return { tone: 'warn', title: `Next attempt in ${formatRemaining(new Date(next), now)}` };
    }
  }
}
