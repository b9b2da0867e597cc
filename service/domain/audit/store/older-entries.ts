import { and, asc, eq, isNull, notExists, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../account-id.ts';
import type { AuditEntryRow, ChainedRow } from './entry-row.ts';

/** An account, among all accounts, that has entries without a place in its chain. */
export async function findUnchainedAccount(db: Db): Promise<string | null> {
  const [found] = await db
    .select({ accountId: auditEntries.accountId })
    .from(auditEntries)
    .where(isNull(auditEntries.sequence))
    .limit(1);
  return found?.accountId ?? null;
}

/** Up to `limit` accounts without a head, among all accounts. */
export async function listAccountsWithoutHead(db: Db, limit: number): Promise<string[]> {
  const head = db
    .select({ one: sql`1` })
    .from(auditHeads)
    .where(eq(auditHeads.accountId, accounts.id));
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(notExists(head))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The oldest entries of an account that have no place in its chain. */
export async function listUnchainedRows(
  tx: Tx,
  accountId: AccountId,
  limit: number,
): Promise<AuditEntryRow[]> {
  return await tx
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), isNull(auditEntries.sequence)))
    .orderBy(asc(auditEntries.id))
    .limit(limit);
}

/** Assigns places in the account's chain to entries without one. */
export async function chainRows(
  tx: Tx,
  accountId: AccountId,
  rows: readonly ChainedRow[],
): Promise<void> {
  await tx.execute(sql`
    update audit_entries
    set sequence = given.sequence, hash = given.hash, is_chained_later = true
    from ${rowsFrom(rows, { id: 'bigint', sequence: 'bigint', hash: 'bytea' })} as given
    where audit_entries.account_id = ${accountId} and audit_entries.id = given.id
  `);
}
