import type { Webhook, WebhookItem } from '#lib/contract/webhooks/webhook.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeWebhook, describeWebhookItem } from './describe-webhook.ts';
import { listSecretPeriods } from './store/secrets.ts';
import { listWebhookRows } from './store/webhooks.ts';

/** Every webhook of the actor's account, newest first, as list items (specification 4.1). */
export async function listWebhooks(ctx: Context, actor: Actor): Promise<WebhookItem[]> {
  const rows = await listWebhookRows(ctx.db, actor.accountId);
  return rows.map((row) => describeWebhookItem(row, actor));
}

/** The same with the state of each. */
export async function listWebhooksWithState(ctx: Context, actor: Actor): Promise<Webhook[]> {
  const rows = await listWebhookRows(ctx.db, actor.accountId);
  const periods = await listSecretPeriods(ctx.db, actor.accountId, ctx.clock.now());
  const periodsOf = Map.groupBy(periods, (period) => period.webhookId);
  return rows.flatMap((webhook) => {
    const secrets = periodsOf.get(webhook.id);
    // Otherwise it was deleted between the two reads.
    return secrets ? describeWebhook({ webhook, secrets }, actor) : [];
  });
}
