import { sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import type { AuditHead } from '../chain/audit-keys.ts';

export type AuditEntryRow = typeof auditEntries.$inferSelect;

export type ChainedRow = Omit<AuditEntryRow, 'addedBy'> & { sequence: number; hash: Buffer };

/** Adds entries to the chains of their accounts, and moves the heads: one statement. */
export async function appendRows(
  tx: Tx,
  chains: readonly { rows: ChainedRow[]; head: AuditHead }[],
): Promise<void> {
  const rows = chains.flatMap((chain) => chain.rows);
  const appended = tx.insert(auditEntries).overridingSystemValue().values(rows);
  const heads = chains.map(
    ({ head }) =>
      sql`(${head.accountId}::uuid, ${head.sequence}::bigint, ${head.hash}::bytea, ${head.brokenAt}::bigint, ${head.seal}::bytea)`,
  );
  await tx.execute(sql`
    with appended as ${appended}
    update audit_heads
    set sequence = moved.sequence, hash = moved.hash, broken_at = moved.broken_at,
      seal = moved.seal
    from (values ${sql.join(heads, sql`, `)}) as moved (account_id, sequence, hash, broken_at, seal)
    where audit_heads.account_id = moved.account_id
  `);
}
