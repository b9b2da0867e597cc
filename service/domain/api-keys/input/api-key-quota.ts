import type { Quota } from '#lib/contract/quotas.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { readQuotas } from '../../quotas/read-quotas.ts';
import { refuseFullQuota } from '../../quotas/refuse-full-quota.ts';
import { countActiveApiKeys, lockApiKeyQuota } from '../store/keys.ts';

/** How many active keys an account has, and how many it can have. */
export async function readApiKeyQuota(
  ctx: Context,
  db: Db | Tx,
  accountId: AccountId,
): Promise<Quota> {
  const { maxKeys } = await readQuotas(ctx, db, accountId);
  return { used: await countActiveApiKeys(db, accountId, ctx.clock.now()), max: maxKeys };
}

/**
 * Checks that the account can have another key, and makes other creations in the account wait until
 * the transaction ends.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export async function claimApiKeyQuota(ctx: Context, tx: Tx, accountId: AccountId): Promise<void> {
  await lockApiKeyQuota(tx, accountId);
  const quota = await readApiKeyQuota(ctx, tx, accountId);
  refuseFullQuota(quota, { noun: 'active API key', remedy: 'Revoke one that is no longer used' });
}
