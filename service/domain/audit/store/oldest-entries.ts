import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../account-id.ts';
import { isOutsideChain } from '../statements/is-outside-chain.ts';
import type { AuditEntryRow } from './entries.ts';

/** The first entries of an account's chain after its checkpoint. */
export async function listOldestRows(
  tx: Tx,
  accountId: AccountId,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<AuditEntryRow, 'id' | 'at' | 'sequence' | 'hash'>[]> {
  return await tx
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      sequence: auditEntries.sequence,
      hash: auditEntries.hash,
    })
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), gt(auditEntries.sequence, after)))
    .orderBy(asc(auditEntries.sequence))
    .limit(limit);
}

/** Removes entries of an account. The account's checkpoint is moved in the same transaction. */
export async function deleteRows(
  tx: Tx,
  accountId: AccountId,
  ids: readonly number[],
): Promise<void> {
  await deleteWhere(
    tx,
    accountId,
    sql`${auditEntries.id} in (
      select value::bigint from json_array_elements_text(${JSON.stringify(ids)}::json)
    )`,
  );
}

/** Removes up to `limit` entries outside the chain, from `before` if given. @returns how many */
export async function deleteRowsOutsideChain(
  tx: Tx,
  accountId: AccountId,
  { before, limit }: { before: Date | undefined; limit: number },
): Promise<number> {
  const outside = tx
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, accountId),
        isOutsideChain(accountId),
        before && lt(auditEntries.at, before),
      ),
    )
    .limit(limit);
  return await deleteWhere(tx, accountId, inArray(auditEntries.id, outside));
}

async function deleteWhere(tx: Tx, accountId: AccountId, condition: SQL): Promise<number> {
  // The trigger that keeps the log append-only allows deletions only with this setting, which
  // applies to this transaction alone.
  await tx.execute(sql`select set_config('conversation_service.retention', 'checkpoint', true)`);
  const { rowCount } = await tx
    .delete(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), condition));
  return rowCount ?? 0;
}

/** An account whose chain begins with an entry from before a moment, or has one outside it. */
export async function findAccountWithEntriesBefore(
  db: Db | Tx,
  before: Date,
): Promise<string | null> {
  const account = sql`${accounts.id}`;
  const oldest = db
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, account),
        gt(
          auditEntries.sequence,
          db
            .select({ checkpoint: auditHeads.checkpointSequence })
            .from(auditHeads)
            .where(eq(auditHeads.accountId, account)),
        ),
      ),
    )
    .orderBy(asc(auditEntries.sequence))
    .limit(1);
  const outside = db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, account),
        isOutsideChain(account),
        lt(auditEntries.at, before),
      ),
    );
  const [found] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`(${oldest}) < ${sqlInstant(before)} or exists ${outside}`)
    .limit(1);
  return found?.id ?? null;
}
