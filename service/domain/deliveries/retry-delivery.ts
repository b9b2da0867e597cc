import { retryDelivery as contract } from '#lib/contract/deliveries/deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { confirmReader, lockActiveWebhook } from '../webhooks/lock-webhook.ts';
import { describeDelivery } from './describe-delivery.ts';
import { findDelivery } from './read-deliveries.ts';
import { insertMissingDelivery, makeDeliveryDue } from './store/deliveries.ts';

/**
 * Sends a delivery again, regardless of its status: immediately or, if an attempt is in progress,
 * after that attempt fails. The attempt is extra: the schedule of a delivery that waits for a retry
 * continues as it was, and a failure does not count against the webhook. A finished delivery starts
 * the schedule again. After an internal error, it waits no longer than after a first one.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED for a second retry within a minute; VALIDATION_ERROR if its webhook is inactive; FORBIDDEN if the
 *   webhook no longer subscribes to the event's type and the actor may not read events of that type
 */
export async function retryDelivery(
  ctx: Context,
  actor: Actor,
  input: { delivery: string },
): Promise<Delivery> {
  const found = await findDelivery(ctx, actor, input);
  await refuseOverLimit(ctx, [{ limit: 'delivery-retry', key: found.uuid }]);

  const delivery = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockActiveWebhook(tx, actor.accountId, found.webhookId);
    // After the type was removed, the URL could be changed without the right to read such events.
    const isSubscribed = webhook.events.some((type) => type === found.eventType);
    const events = isSubscribed ? [] : [found.eventType];
    await confirmReader(tx, actor, { events, clock: ctx.clock });
    // After the lock: a completion recognizes a retry that is due after its attempt began.
    const now = ctx.clock.now();
    const due = await makeDeliveryDue(tx, found, now);
    if (!due) throw notFound();
    await recordAudit(tx, {
      actor,
      action: 'delivery.retried',
      at: now,
      target: { kind: 'delivery', id: due.uuid, name: `${due.eventType} to ${webhook.name}` },
      changes: { webhook: webhook.uuid },
    });
    return { ...found, ...due };
  });
  ctx.laneNotifier.queue([delivery.webhookId]);
  return describeDelivery(delivery);
}

/** Makes an event due at a locked webhook, as its delivery or a new one, before the commit. */
export async function makeEventDue(
  tx: Tx,
  {
    webhook: { accountId, id: webhookId },
    event,
    now,
  }: { webhook: { accountId: string; id: number }; event: SentEvent; now: Date },
): Promise<{ uuid: string }> {
  const made = await insertMissingDelivery(tx, {
    accountId,
    webhookId,
    eventId: event.id,
    eventType: event.type,
    createdAt: now,
  });
  const due = made ?? (await makeDeliveryDue(tx, { webhookId, eventId: event.id }, now));
  if (!due) throw new Error('an existing delivery was not found');
  return due;
}

type SentEvent = { id: number; type: EventType };
