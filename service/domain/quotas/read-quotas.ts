import type { Quota } from '#lib/contract/quotas.ts';
import { countOf, formatCount } from '#lib/count.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { invalid } from '../errors.ts';
import { readOwnQuotas } from './store.ts';

/** How many active keys and how many webhooks an account can have. */
export async function readQuotas(
  { config }: Pick<Context, 'config'>,
  db: Db | Tx,
  accountId: AccountId,
): Promise<{ maxKeys: number; maxWebhooks: number }> {
  const own = await readOwnQuotas(db, accountId);
  return {
    maxKeys: own.maxKeys ?? config.maxKeys,
    maxWebhooks: own.maxWebhooks ?? config.maxWebhooks,
  };
}

/** @throws ServiceError VALIDATION_ERROR if the quota is used up */
export function refuseFullQuota(
  { used, max }: Quota,
  { noun, remedy }: { noun: string; remedy: string },
): void {
  if (used < max) return;
  throw invalid(
    'body',
    `This account has ${countOf(used, noun)} and can have at most ${formatCount(max)}. ${remedy}, or ask the operator of this service to allow more.`,
  );
}
