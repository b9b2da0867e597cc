import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { accounts } from '../../db/schema.ts';
import type { AccountId } from '../account-id.ts';

/** The numbers that an account was given of its own; null where it has the installation's. */
export async function readOwnQuotas(
  db: Db | Tx,
  accountId: AccountId,
): Promise<{ maxKeys: number | null; maxWebhooks: number | null }> {
  const [row] = await db
    .select({ maxKeys: accounts.maxKeys, maxWebhooks: accounts.maxWebhooks })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account is gone');
  return row;
}
