import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import type { AccountId } from '../../account-id.ts';

export type AccountRow = typeof accounts.$inferSelect;

export async function readAccount(db: Db | Tx, accountId: AccountId): Promise<AccountRow> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account was not found');
  return row;
}

/** The account, locked against changes until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<AccountRow> {
  const [row] = await tx
    .select()
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
  if (!row) throw new Error('the account was not found');
  return row;
}

export async function writeAccount(
  tx: Tx,
  accountId: AccountId,
  change: Partial<typeof accounts.$inferInsert>,
): Promise<void> {
  await tx.update(accounts).set(change).where(eq(accounts.id, accountId));
}
