import { createHash } from 'node:crypto';
import { testWebhook as contract } from '#lib/contract/deliveries/deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { sampleDataOf, testEventType } from '#lib/contract/events/events.ts';
import { hasChosenContent } from '#lib/contract/events/test-events.ts';
import type { TestWebhookInput } from '#lib/contract/events/test-events.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { recordTestEvent } from '../events/record-test-event.ts';
import { openLaneForTests } from '../lanes/statements/lanes.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { lockExistingWebhook } from '../webhooks/lock-webhook.ts';
import { describeDelivery } from './describe-delivery.ts';
import { insertTestDelivery } from './store/deliveries.ts';

/**
 * Sends a test event to one webhook, before all other deliveries that wait for it. A paused or
 * deactivated one is sent nothing else.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the actor chose the content but may not change the
 *   webhook, or calls with a token in its grace period; RATE_LIMIT_EXCEEDED beyond 10 tests of a webhook in a minute;
 *   VALIDATION_ERROR if its set-up is incomplete, or the payload is larger than 64 KiB
 */
export async function testWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & TestWebhookInput,
): Promise<Delivery> {
  const { id, uuid } = await findWebhook(ctx, actor, input);
  await refuseOverLimit(ctx, [{ limit: 'webhook-test', key: uuid }]);

  const isChosen = hasChosenContent(input);
  const type = input.type ?? testEventType;
  const data = input.data ?? sampleDataOf(type);
  const delivery = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, {
      scope: contract.access.scope,
      act: isChosen ? 'webhooks.update' : contract.access.act,
      needsNewestToken: isChosen,
      clock: ctx.clock,
    });
    const webhook = await lockExistingWebhook(tx, actor.accountId, id);
    if (webhook.inactiveReason === 'setup') throw invalid('webhook', notSetUp);
    const now = ctx.clock.now();
    const event = await recordTestEvent(ctx, tx, {
      accountId: actor.accountId,
      origin: actor.origin,
      now,
      sentAs: type,
      data,
    });
    const queued = await insertTestDelivery(tx, {
      accountId: actor.accountId,
      webhookId: webhook.id,
      eventId: event.id,
      eventType: event.type,
      createdAt: now,
    });
    if (!webhook.isActive) await openLaneForTests(tx, { webhook, now });
    await recordAudit(tx, {
      actor,
      action: 'webhook.tested',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: { type, delivery: queued.uuid, ...describeData(data) },
    });
    return {
      ...queued,
      eventUuid: event.uuid,
      eventCreatedAt: event.createdAt,
      lastAttemptAt: null,
      lastDurationMs: null,
    };
  });
  ctx.laneNotifier.queue([id]);
  return describeDelivery(delivery);
}

const notSetUp = 'The set-up of this webhook is incomplete. Activate it first.';

/** Says what was sent, without its content, so that it can be compared with what a receiver has. */
function describeData(data: Record<string, unknown>) {
  const text = JSON.stringify(data);
  return {
    data_bytes: Buffer.byteLength(text),
    data_sha256: createHash('sha256').update(text).digest('hex'),
  };
}
