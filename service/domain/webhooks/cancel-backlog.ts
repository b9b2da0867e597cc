import { updateWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-caller.ts';
import { cancelPendingDeliveries } from '../deliveries/cancel-pending-deliveries.ts';
import { endReplays } from '../replays/end-replays.ts';
import type { ResourceReference } from '../resource-reference.ts';
import { lockWebhook } from './store/webhooks.ts';
import type { WebhookRow } from './store/webhooks.ts';

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
