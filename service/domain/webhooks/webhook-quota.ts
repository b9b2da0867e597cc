import type { Quota } from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { readQuotas, refuseFullQuota } from '../quotas/read-quotas.ts';
import { countWebhooks, lockWebhookQuota } from './store/webhooks.ts';

/** How many webhooks an account has, and how many it can have. */
export async function readWebhookQuota(
  ctx: Context,
  db: Db | Tx,
  accountId: AccountId,
): Promise<Quota> {
  const { maxWebhooks } = await readQuotas(ctx, db, accountId);
  return { used: await countWebhooks(db, accountId), max: maxWebhooks };
}

/**
 * Checks that the account can have another webhook, and makes other creations in the account wait
 * until the transaction ends.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export async function claimWebhookQuota(ctx: Context, tx: Tx, accountId: AccountId): Promise<void> {
  await lockWebhookQuota(tx, accountId);
  const quota = await readWebhookQuota(ctx, tx, accountId);
  refuseFullQuota(quota, { noun: 'webhook', remedy: 'Delete one that is no longer used' });
}
