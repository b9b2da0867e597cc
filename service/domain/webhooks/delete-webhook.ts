import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { deleteWebhookRow, lockWebhook } from './store.ts';

/** Deletes a webhook with its secrets (specification 4.2). @throws ServiceError NOT_FOUND */
export async function deleteWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<void> {
  const reference = parseResourceReference(input.webhook);
  if (!reference) throw notFound();

  await ctx.db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, actor.accountId, reference);
    if (!webhook) throw notFound();
    await deleteWebhookRow(tx, webhook);
    await recordAudit(tx, {
      actor,
      action: 'webhook.deleted',
      at: ctx.clock.now(),
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: { url: webhook.url },
    });
  });
}
