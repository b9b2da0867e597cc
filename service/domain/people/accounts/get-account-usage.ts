import type { AccountUsage } from '#lib/contract/people/account-usage.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { countApiKeysByScopes } from '../../api-keys/count-api-keys-by-scopes.ts';
import { readWebhookQuota } from '../../webhooks/webhook-quota.ts';

/** How many active keys the actor's account has for each list of scopes, and how many webhooks. */
export async function getAccountUsage(
  ctx: Context,
  { accountId }: PersonActor,
): Promise<AccountUsage> {
  const [keys, webhooks] = await Promise.all([
    countApiKeysByScopes(ctx, accountId),
    readWebhookQuota(ctx, ctx.db, accountId),
  ]);
  return { live_keys: keys, webhooks: webhooks.used };
}
