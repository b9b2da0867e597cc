import { randomUUID } from 'node:crypto';
import type { NewEvent } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import type { Traced } from '../../tracing/tracing.ts';
import type { AccountId } from '../account-id.ts';
import type { Origin } from '../actor.ts';
import { applyFilters } from './apply-filters.ts';
import { beginEventSpan } from './begin-event-span.ts';
import { insertEventWithDeliveries } from './store.ts';

/**
 * Stores an event in the transaction of the change it announces: a change that is rolled back is
 * never announced, and a committed change is always announced. Each active webhook that subscribes
 * to the event's type gets a delivery, unless the event is about it or its filter leaves it out. The payload is
 * formatted here once, and every delivery signs and sends it.
 *
 * @param published.origin the request in which the event happens; null if it is none
 * @returns the webhooks whose lanes to wake once the transaction has committed
 */
export async function publishEvent(
  ctx: Traced,
  tx: Tx,
  published: { accountId: AccountId; now: Date; event: NewEvent; origin: Origin | null },
): Promise<number[]> {
  const { accountId, now, event, origin } = published;
  const uuid = randomUUID();
  const span = beginEventSpan(ctx, { accountId, uuid, type: event.type, origin });
  const payload = formatPayload(event, now);
  const { webhookIds, filtered } = await insertEventWithDeliveries(tx, {
    accountId,
    uuid,
    type: event.type,
    conversationId: conversationIdOf(event.data),
    aboutWebhookId: webhookIdOf(event.data),
    payload,
    traceParent: span?.traceParent,
    createdAt: now,
  });
  span?.end();
  const matched = filtered.map((each) => ({ ...each, accountId, payload }));
  return [...webhookIds, ...(await applyFilters(tx, matched))];
}

/** The text that deliveries of an event sign and send. */
export function formatPayload({ type, data }: NewEvent, now: Date): string {
  return JSON.stringify({ type, timestamp: formatApiTime(now), data });
}

function conversationIdOf(data: NewEvent['data']): number | null {
  return 'conversation' in data ? data.conversation.id : null;
}

function webhookIdOf(data: NewEvent['data']): number | null {
  return 'webhook' in data ? data.webhook.id : null;
}
