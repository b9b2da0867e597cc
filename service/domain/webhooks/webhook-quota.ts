import type { Quota } from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { invalid } from '../errors.ts';
import { readQuotas } from '../quotas/read-quotas.ts';
import { countWebhooks, lockWebhookQuota } from './store.ts';

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
 * Lets one creation at a time go on, if the account can have another webhook.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export async function claimWebhookQuota(ctx: Context, tx: Tx, accountId: AccountId): Promise<void> {
  await lockWebhookQuota(tx, accountId);
  const { used, max } = await readWebhookQuota(ctx, tx, accountId);
  if (used < max) return;
  const webhooks = used === 1 ? '1 webhook' : `${used} webhooks`;
  throw invalid(
    'body',
    `This account has ${webhooks} and can have at most ${max}. Delete one that is no longer used, or ask the operator of this service to allow more.`,
  );
}
