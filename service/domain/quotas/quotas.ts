import type { Quotas } from '#lib/contract/quotas.ts';
import { countOf, formatCount } from '#lib/count.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { invalid } from '../errors.ts';
import { countUsed, lockQuota } from './store.ts';

/** How many active keys and how many webhooks an account has, and how many it can have. */
export async function readQuotas(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  db: Db | Tx,
  accountId: AccountId,
): Promise<Quotas> {
  const { apiKeys, webhooks, maxKeys, maxWebhooks } = await countUsed(db, accountId, clock.now());
  return {
    api_keys: { used: apiKeys, max: maxKeys ?? config.maxKeys },
    webhooks: { used: webhooks, max: maxWebhooks ?? config.maxWebhooks },
  };
}

const refusals = {
  api_keys: { noun: 'active API key', remedy: 'Revoke one that is no longer used' },
  webhooks: { noun: 'webhook', remedy: 'Delete one that is no longer used' },
};

/**
 * Checks that the account can have another key or webhook, and makes other creations in the account
 * wait until the transaction ends.
 *
 * @throws ServiceError VALIDATION_ERROR if the quota is used up
 */
export async function claimQuota(
  ctx: Pick<Context, 'config' | 'clock'>,
  tx: Tx,
  { accountId, of }: { accountId: AccountId; of: keyof Quotas },
): Promise<void> {
  await lockQuota(tx, accountId, of);
  const { used, max } = (await readQuotas(ctx, tx, accountId))[of];
  if (used < max) return;
  const { noun, remedy } = refusals[of];
  throw invalid(
    'body',
    `This account has ${countOf(used, noun)} and can have at most ${formatCount(max)}. ${remedy}, or ask the operator of this service to allow more.`,
    'quota',
  );
}
