import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeWebhook } from './describe-webhook.ts';
import { findWebhook } from './find-webhook.ts';
import { secretPeriodsOf } from './store/secrets.ts';

/** One webhook of the actor's account. @throws ServiceError NOT_FOUND */
export async function getWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<Webhook> {
  const webhook = await findWebhook(ctx, actor, input);
  const secrets = await secretPeriodsOf(ctx.db, webhook, ctx.clock.now());
  return describeWebhook({ webhook, secrets }, actor);
}
