import type { Quotas } from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { readApiKeyQuota } from '../api-keys/input/api-key-quota.ts';
import { readWebhookQuota } from '../webhooks/webhook-quota.ts';

/**
 * How many keys and webhooks the account has and can have, for members who are about to create one.
 */
export async function getQuotas(ctx: Context, { accountId }: PersonActor): Promise<Quotas> {
  return {
    api_keys: await readApiKeyQuota(ctx, ctx.db, accountId),
    webhooks: await readWebhookQuota(ctx, ctx.db, accountId),
  };
}
