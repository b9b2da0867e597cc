import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { describeWebhook } from './describe-webhook.ts';
import { secretPeriodsOf } from './store/secrets.ts';
import { findWebhookRow } from './store/webhooks.ts';

/** One webhook of the actor's account. @throws ServiceError NOT_FOUND */
export async function getWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<Webhook> {
  const reference = parseResourceReference(input.webhook);
  const webhook = reference && (await findWebhookRow(ctx.db, actor.accountId, reference));
  if (!webhook) throw notFound();
  const secrets = await secretPeriodsOf(ctx.db, webhook, ctx.clock.now());
  return describeWebhook({ webhook, secrets });
}
