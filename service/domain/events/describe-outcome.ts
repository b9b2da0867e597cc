import type { EventOutcome } from '#lib/contract/events/recorded-events.ts';
import { countOf } from '#lib/count.ts';
import { formatApiTime } from '#lib/time.ts';
import type { EventRow, WebhookOfEvent } from './store.ts';

type Webhook = WebhookOfEvent['webhook'];
type Delivery = NonNullable<WebhookOfEvent['delivery']>;
type DescribedEvent = Pick<EventRow, 'type' | 'createdAt' | 'aboutWebhookId'>;
type Verdict = { outcome: EventOutcome['outcome']; sentence: string; at: Date | null };

/** The result of an event for one webhook, as a code for programs and a sentence for people. */
export function describeOutcome(
  event: DescribedEvent,
  { webhook, delivery }: WebhookOfEvent,
): EventOutcome {
  const { outcome, sentence, at } = delivery
    ? describeDeliveryOutcome(delivery, webhook)
    : whyNoDelivery(event, webhook);
  return {
    webhook: { id: webhook.id, uuid: webhook.uuid, name: webhook.name },
    outcome,
    sentence,
    at: at && formatApiTime(at),
    delivery: delivery && {
      id: delivery.id,
      uuid: delivery.uuid,
      attempt_count: delivery.attemptCount,
    },
  };
}

function describeDeliveryOutcome(delivery: Delivery, webhook: Webhook): Verdict {
  const { status, attemptCount, dueAt, finishedAt } = delivery;
  switch (status) {
    case 'delivered':
      return { outcome: status, sentence: `Delivered${on(finishedAt)}.`, at: finishedAt };
    case 'failed':
      return { outcome: status, sentence: `Failed after ${times(attemptCount)}.`, at: finishedAt };
    case 'cancelled':
      return { outcome: status, sentence: `Cancelled${on(finishedAt)}.`, at: finishedAt };
    case 'pending': {
      if (!webhook.isActive) {
        const since = webhook.inactiveSince;
        const sentence = `Waits until the webhook is resumed: ${inactivity(webhook)}.`;
        return { outcome: status, sentence, at: since };
      }
      const sentence =
        attemptCount === 0
          ? `First attempt${on(dueAt)}.`
          : `Next attempt${on(dueAt)}, after ${times(attemptCount)}.`;
      return { outcome: status, sentence, at: dueAt };
    }
  }
}

function whyNoDelivery(event: DescribedEvent, webhook: Webhook): Verdict {
  const { createdAt, events, isActive, inactiveSince } = webhook;
  if (event.aboutWebhookId === webhook.id) {
    const sentence = 'The event is about this webhook, and is sent to others only.';
    return { outcome: 'about_itself', sentence, at: null };
  }
  if (createdAt > event.createdAt) {
    return {
      outcome: 'created_later',
      sentence: 'The webhook was created after the event.',
      at: createdAt,
    };
  }
  if (!events.some((type) => type === event.type)) {
    return { outcome: 'not_subscribed', sentence: `Not subscribed to ${event.type}.`, at: null };
  }
  if (!isActive && inactiveSince !== null && inactiveSince <= event.createdAt) {
    const sentence = `${capitalised(inactivity(webhook))}.`;
    return { outcome: 'inactive', sentence, at: inactiveSince };
  }
  return {
    outcome: 'not_made',
    sentence: 'The webhook was inactive, or not subscribed, when the event happened.',
    at: null,
  };
}

function inactivity({ inactiveReason, inactiveSince }: Webhook): string {
  const since = inactiveSince ? ` since ${formatApiTime(inactiveSince)}` : '';
  if (inactiveReason === 'setup') return `being set up${since}`;
  return `${inactiveReason === 'paused' ? 'paused' : 'deactivated'}${since}`;
}

function on(moment: Date | null): string {
  return moment ? ` at ${formatApiTime(moment)}` : '';
}

function times(attempts: number): string {
  return countOf(attempts, 'attempt');
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
