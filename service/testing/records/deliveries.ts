import { randomUUID } from 'node:crypto';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { sampleDataOf } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import type { AccountId } from '../../domain/account-id.ts';

export type EventInTest = typeof events.$inferSelect;
export type DeliveryInTest = typeof deliveries.$inferSelect;

/** Adds an event without deliveries, as if it had happened now or at `at`. */
export async function addEvent(
  ctx: Context,
  accountId: AccountId,
  options: { type?: EventType | TestEventType; at?: Date; conversationId?: number } = {},
): Promise<EventInTest> {
  const { type = 'message.created', at = ctx.clock.now(), conversationId = null } = options;
  const [event] = await ctx.db
    .insert(events)
    .values({
      accountId,
      uuid: randomUUID(),
      type,
      conversationId,
      payload: JSON.stringify({ type, timestamp: formatApiTime(at), data: sampleDataOf(type) }),
      createdAt: at,
    })
    .returning();
  if (!event) throw new Error('no event was made');
  return event;
}

/** Adds a delivery of an event in this state. It is due now unless it is finished. */
export async function addDelivery(
  ctx: Context,
  event: EventInTest,
  { webhookId, ...state }: { webhookId: number } & Partial<DeliveryInTest>,
): Promise<DeliveryInTest> {
  const isPending = (state.status ?? 'pending') === 'pending';
  const now = ctx.clock.now();
  const [delivery] = await ctx.db
    .insert(deliveries)
    .values({
      accountId: event.accountId,
      webhookId,
      eventId: event.id,
      eventType: event.type,
      status: 'pending',
      dueAt: isPending ? now : null,
      finishedAt: isPending ? null : now,
      createdAt: event.createdAt,
      ...state,
    })
    .returning();
  if (!delivery) throw new Error('no delivery was made');
  return delivery;
}

/** Adds one attempt of a delivery: a response of 200 with "ok" by default. */
export async function addAttempt(
  ctx: Context,
  delivery: DeliveryInTest,
  values: Partial<typeof attempts.$inferInsert> = {},
): Promise<void> {
  await ctx.db.insert(attempts).values({
    accountId: delivery.accountId,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    number: 1,
    startedAt: ctx.clock.now(),
    durationMs: 100,
    waitedMs: 5,
    firstByteMs: 90,
    url: 'https://example.com/hook',
    statusCode: 200,
    requestHeaders: { 'webhook-id': 'msg_x', 'webhook-signature': 'v1,x' },
    responseHeaders: { 'content-type': 'text/plain' },
    responseBody: 'ok',
    ...values,
  });
}
