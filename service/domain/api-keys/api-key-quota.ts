import type { Quota } from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { invalid } from '../errors.ts';
import { readQuotas } from '../quotas/read-quotas.ts';
import { countLiveApiKeys, lockApiKeyQuota } from './store.ts';

/** How many live keys an account has, and how many it can have. */
export async function readApiKeyQuota(
  ctx: Context,
  db: Db | Tx,
  accountId: AccountId,
): Promise<Quota> {
  const { maxKeys } = await readQuotas(ctx, db, accountId);
  return { used: await countLiveApiKeys(db, accountId, ctx.clock.now()), max: maxKeys };
}

/**
 * Lets one creation at a time go on, if the account can have another key.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export async function claimApiKeyQuota(ctx: Context, tx: Tx, accountId: AccountId): Promise<void> {
  await lockApiKeyQuota(tx, accountId);
  const { used, max } = await readApiKeyQuota(ctx, tx, accountId);
  if (used < max) return;
  const keys = used === 1 ? '1 live API key' : `${used} live API keys`;
  throw invalid(
    'body',
    `This account has ${keys} and can have at most ${max}. Revoke one that is no longer used, or ask the operator of this service to allow more.`,
  );
}
