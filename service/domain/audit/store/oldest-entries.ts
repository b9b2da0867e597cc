import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../account-id.ts';
import type { AuditEntryRow } from './entry-row.ts';

/** The first entries of an account's chain, followed by those without a place. */
export async function listOldestRows(
  tx: Tx,
  accountId: AccountId,
  limit: number,
): Promise<Pick<AuditEntryRow, 'id' | 'at' | 'sequence' | 'hash'>[]> {
  return await tx
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      sequence: auditEntries.sequence,
      hash: auditEntries.hash,
    })
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId))
    .orderBy(asc(auditEntries.sequence), asc(auditEntries.id))
    .limit(limit);
}

/** Removes entries of an account. The account's checkpoint is moved in the same transaction. */
export async function deleteRows(
  tx: Tx,
  accountId: AccountId,
  ids: readonly number[],
): Promise<void> {
  // The trigger that keeps the log append-only allows deletions only with this setting, which
  // applies to this transaction alone.
  await tx.execute(sql`select set_config('conversation_service.retention', 'checkpoint', true)`);
  await tx.delete(auditEntries).where(
    and(
      eq(auditEntries.accountId, accountId),
      sql`${auditEntries.id} in (
          select value::bigint from json_array_elements_text(${JSON.stringify(ids)}::json)
        )`,
    ),
  );
}

/** An account, among all accounts, whose chain begins with an entry from before a moment. */
export async function findAccountWithEntriesBefore(
  db: Db | Tx,
  before: Date,
): Promise<string | null> {
  const oldest = db
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accounts.id))
    .orderBy(asc(auditEntries.sequence), asc(auditEntries.id))
    .limit(1);
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`(${oldest}) < ${sqlInstant(before)}`)
    .limit(1);
  return account?.id ?? null;
}
