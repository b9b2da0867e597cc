import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import type { AccountId } from '../account-id.ts';

/** The quotas of this account; null where the installation's quota applies. */
export type OwnQuotas = { maxKeys: number | null; maxWebhooks: number | null };

export async function readOwnQuotas(db: Db | Tx, accountId: AccountId): Promise<OwnQuotas> {
  const [row] = await db
    .select({ maxKeys: accounts.maxKeys, maxWebhooks: accounts.maxWebhooks })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account was not found');
  return row;
}

export async function updateOwnQuotas(
  tx: Tx,
  accountId: AccountId,
  quotas: OwnQuotas,
): Promise<void> {
  await tx.update(accounts).set(quotas).where(eq(accounts.id, accountId));
}
