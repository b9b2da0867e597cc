import type { WebhookBacklog } from '#lib/contract/webhooks/webhook-backlog.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { countBacklog } from '../replays/replay-backlog.ts';
import { findWebhook } from './find-webhook.ts';

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
