import type { WebhookBacklog } from '#lib/contract/webhooks/webhook-backlog.ts';
import { updateWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { cancelPendingDeliveries } from '../deliveries/cancel-pending-deliveries.ts';
import { endReplays } from '../replays/cancel-replay.ts';
import { countBacklog } from '../replays/replay-backlog.ts';
import type { ResourceReference } from '../resource-reference.ts';
import { findWebhook } from './read-webhooks.ts';
import { lockWebhook, type WebhookRow } from './store/webhooks.ts';

/**
 * What resuming a webhook with `backlog: deliver` would send; nothing if it is active.
 * @throws ServiceError NOT_FOUND
 */
export async function getBacklog(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<WebhookBacklog> {
  const webhook = await findWebhook(ctx, actor, input);
  if (webhook.isActive) return { count: 0, failed: 0, since: null };
  const { counted, failed, since } = await countBacklog(ctx, actor, {
    webhook,
    inactiveSince: webhook.inactiveSince ?? webhook.createdAt,
    failingSince: webhook.failingSince,
    until: ctx.clock.now(),
  });
  return { count: counted.count, failed, since: formatApiTime(since) };
}

/**
 * Cancels the pending deliveries of an inactive webhook before it is resumed, so that none of them
 * is sent in between. There may be hundreds of thousands, so it works in batches. If it is
 * interrupted, the webhook stays inactive.
 *
 * @throws ServiceError UNAUTHORIZED, FORBIDDEN if the actor may no longer change the webhook
 */
export async function cancelBacklog(
  ctx: Context,
  actor: Actor,
  reference: ResourceReference,
): Promise<void> {
  const cancelBatch = async () =>
    await ctx.db.transaction(async (tx) => {
      await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
      const webhook = await lockWebhook(tx, actor.accountId, reference);
      if (!webhook || webhook.isActive) return false;
      const about = { replayUuid: null, now: ctx.clock.now() };
      return (await cancelPendingDeliveries(tx, webhook, about)).isMore;
    });
  while (await cancelBatch());
}

/**
 * Ends the running replays, and cancels what was queued since `cancelBacklog`, in the transaction
 * that resumes the webhook: a step of a replay, or the writing of an event, may have begun before
 * the webhook became inactive. That is no more than one batch. The replays come first, because a
 * step locks its replay before the lane.
 */
export async function cancelRestOfBacklog(tx: Tx, webhook: WebhookRow, now: Date): Promise<void> {
  await endReplays(tx, webhook, now);
  await cancelPendingDeliveries(tx, webhook, { replayUuid: null, now });
}
