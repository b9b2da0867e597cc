import { deleteWebhook as contract } from '#lib/contract/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { runEffects } from '../effects.ts';
import { lockExistingWebhook } from './lock-webhook.ts';
import { deleteWebhookRow, type WebhookRow } from './store/webhooks.ts';

/**
 * Deletes a webhook with its secrets and its lane (specification 4.2). Nothing more is sent, and
 * the result of an attempt in progress is discarded. Its deliveries are no longer visible;
 * retention removes them.
 *
 * @param input.beforeDeletion what a later noun does first with what is deleted with the webhook
 * @throws ServiceError NOT_FOUND
 */
export async function deleteWebhook(
  ctx: Context,
  actor: Actor,
  input: {
    webhook: string;
    beforeDeletion?: (tx: Tx, change: { webhook: WebhookRow; now: Date }) => Promise<void>;
  },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockExistingWebhook(tx, actor.accountId, input.webhook);
    const now = ctx.clock.now();
    await input.beforeDeletion?.(tx, { webhook, now });
    await runEffects(tx, ctx.effects.webhookDeleted, { actor, webhook, now });
    await deleteWebhookRow(tx, webhook);
    await recordAudit(tx, {
      actor,
      action: 'webhook.deleted',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      // Someone who deleted it by mistake can create it again with these.
      changes: { url: webhook.url, events: webhook.events, is_active: webhook.isActive },
    });
  });
}
