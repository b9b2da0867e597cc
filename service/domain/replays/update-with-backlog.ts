import type { z } from 'zod';
import type { WebhookBacklog } from '#lib/contract/webhooks/webhook-backlog.ts';
import type { updateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Actor } from '../actor.ts';
import { cancelPendingDeliveries } from '../deliveries/cancel-pending-deliveries.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { limitContacts } from '../webhooks/contact.ts';
import {
  carryOutUpdate,
  planUpdate,
  updateWebhook,
  type PlannedUpdate,
} from '../webhooks/update-webhook.ts';
import { endReplays } from './cancel-replay.ts';
import { countBacklog, isCountOf, replayBacklog, type Backlog } from './replay-backlog.ts';

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
 * Changes a webhook, and does with its backlog what `backlog` says: `deliver` replays what it
 * missed, `skip` cancels its pending deliveries. Without `backlog` it is `updateWebhook`.
 *
 * @throws ServiceError as `updateWebhook`, and VALIDATION_ERROR on `backlog` for a webhook that is
 *   already active
 */
export async function updateWithBacklog(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof updateWebhookInput>,
): Promise<Webhook> {
  if (input.backlog === undefined) return await updateWebhook(ctx, actor, input);
  await limitContacts(ctx, actor, input.contact_email);
  const update = { ctx, actor, input };
  const plan = async () => await ctx.db.transaction((tx) => planUpdate(tx, update));
  // Before the webhook is resumed, so that none of its pending deliveries is sent in between. There
  // may be hundreds of thousands, so it works in batches. Each first checks whether the change is
  // refused. If this is interrupted, the webhook stays inactive.
  const cancelBatch = async () =>
    await ctx.db.transaction(async (tx) => {
      const { before, now } = await planUpdate(tx, update);
      return (await cancelPendingDeliveries(tx, before, { replayUuid: null, now })).isMore;
    });
  if (input.backlog === 'skip') while (await cancelBatch());
  let updated: { described: Webhook; mail: Mail | null } | null = null;
  while (updated === null) {
    const counted =
      input.backlog === 'deliver' ? await countBacklog(ctx, actor, backlogOf(await plan())) : null;
    updated = await ctx.db.transaction(async (tx) => {
      const planned = await planUpdate(tx, update);
      const { before, now } = planned;
      if (counted && !isCountOf(counted, backlogOf(planned))) return null;
      if (!counted) {
        // What was queued since then: a step of a replay, or the writing of an event, may
        // have begun before the webhook became inactive. That is no more than one batch. The
        // replays come first, because a step locks its replay before the lane.
        await endReplays(tx, { webhook: before, now });
        await cancelPendingDeliveries(tx, before, { replayUuid: null, now });
      }
      const { webhook, described, mail } = await carryOutUpdate(tx, update, planned);
      if (counted) await replayBacklog({ tx, actor, clock: ctx.clock }, webhook, counted);
      return { described, mail };
    });
  }
  if (updated.mail) ctx.mail.send(updated.mail);
  return updated.described;
}

function backlogOf({ before, change }: PlannedUpdate): Backlog {
  return {
    webhook: { ...before, events: change.events ?? before.events },
    inactiveSince: before.inactiveSince ?? before.createdAt,
    failingSince: before.failingSince,
  };
}
