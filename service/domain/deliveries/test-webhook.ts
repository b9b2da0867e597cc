import type { z } from 'zod';
import { testWebhook as contract } from '#lib/contract/deliveries/deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { sampleDataOf } from '#lib/contract/events/events.ts';
import type { testWebhookInput } from '#lib/contract/events/test-events.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-caller.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { recordTestEvent } from '../events/record-test-event.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { lockActiveWebhook } from '../webhooks/lock-active-webhook.ts';
import { describeDelivery } from './describe-delivery.ts';
import { insertTestDelivery } from './store/deliveries.ts';

/**
 * Sends a test event to one webhook, before all other deliveries that wait for it.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED beyond 10 tests of a webhook in a minute;
 *   VALIDATION_ERROR if it is inactive, or the payload is larger than 64 KiB
 */
export async function testWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof testWebhookInput>,
): Promise<Delivery> {
  const { id, uuid } = await findWebhook(ctx, actor, input);
  await refuseOverLimit(ctx, [{ limit: 'webhook-test', key: uuid }]);

  const delivery = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockActiveWebhook(tx, actor.accountId, id);
    const now = ctx.clock.now();
    const event = await recordTestEvent(tx, {
      accountId: actor.accountId,
      now,
      sentAs: input.type,
      data: input.data ?? sampleDataOf(input.type),
    });
    const queued = await insertTestDelivery(tx, {
      accountId: actor.accountId,
      webhookId: webhook.id,
      eventId: event.id,
      eventType: event.type,
      createdAt: now,
    });
    await recordAudit(tx, {
      actor,
      action: 'webhook.tested',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: { type: input.type, delivery: queued.uuid },
    });
    return {
      ...queued,
      eventUuid: event.uuid,
      eventCreatedAt: event.createdAt,
      lastAttemptAt: null,
      lastDurationMs: null,
    };
  });
  ctx.laneNotifier.offer([id]);
  return describeDelivery(delivery);
}
