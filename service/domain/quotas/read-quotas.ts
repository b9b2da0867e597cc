import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
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
