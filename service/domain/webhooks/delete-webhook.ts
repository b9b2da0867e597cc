import { deleteWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { notifyOfChangedWebhook } from '../lanes/statements/lanes.ts';
import { endReplays } from '../replays/cancel-replay.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { deleteWebhookRow, lockWebhook } from './store/webhooks.ts';

/**
 * Deletes a webhook with its secrets and its lane (specification 4.2). Nothing more is sent, and
 * the result of an attempt in progress is discarded. Its deliveries are no longer visible;
 * retention removes them.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function deleteWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<void> {
  const reference = parseResourceReference(input.webhook);
  if (!reference) throw notFound();

  await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockWebhook(tx, actor.accountId, reference);
    if (!webhook) throw notFound();
    const now = ctx.clock.now();
    await endReplays(tx, webhook, now);
    await deleteWebhookRow(tx, webhook);
    await notifyOfChangedWebhook(tx, webhook.id);
    await recordAudit(tx, {
      actor,
      action: 'webhook.deleted',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      // Somebody who deleted it by mistake can create it again with these.
      changes: { url: webhook.url, events: webhook.events, is_active: webhook.isActive },
    });
  });
}
