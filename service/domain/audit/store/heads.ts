import { and, asc, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { settings } from '../../../db/schema/settings.ts';
import type { AccountId } from '../../account-id.ts';
import type { AuditHead } from '../chain/audit-keys.ts';

/**
 * Locks the heads of accounts, in the order of their ids, and takes new entry ids for each. Because
 * ids are taken while the head is locked, the ids of an account's entries ascend in the order of
 * its chain.
 *
 * The accounts' rows are locked first, as the entries' foreign key would do later: an erasure also
 * locks the account's row before its head.
 *
 * @param idsEach how many ids each account gets
 */
export async function lockHeads(
  tx: Tx,
  accountIds: readonly AccountId[],
  idsEach: number,
): Promise<Map<string, { head: AuditHead; ids: number[] }>> {
  // Written by hand, because every audit entry needs this statement, and building it would cost
  // more than running it.
  const { rows } = await tx.execute<LockedRow>(sql`
    select locked.*, nextval('audit_entries_id_seq') as entry_id
    from (
      select audit_heads.*, extract(epoch from audit_heads.created_at) * 1000 as created_at_ms
      from accounts join audit_heads on audit_heads.account_id = accounts.id
      where ${inArray(accounts.id, [...accountIds])}
      order by accounts.id
      for key share of accounts for update of audit_heads
    ) as locked
    cross join generate_series(1, ${Math.max(idsEach, 1)}::int)
  `);
  const heads = new Map<string, { head: AuditHead; ids: number[] }>();
  for (const row of rows) {
    const known = heads.get(row.account_id);
    if (known) known.ids.push(Number(row.entry_id));
    else heads.set(row.account_id, { head: headOf(row), ids: [Number(row.entry_id)] });
  }
  return heads;
}

/** PGlite and PostgreSQL return large numbers as strings or as numbers. */
type LockedRow = {
  account_id: string;
  sequence: string | number;
  hash: Uint8Array;
  checkpoint_sequence: string | number;
  checkpoint_hash: Uint8Array;
  broken_at: string | number | null;
  created_at_ms: string | number;
  seal: Uint8Array;
  entry_id: string | number;
};

function headOf(row: LockedRow): AuditHead {
  return {
    accountId: row.account_id,
    sequence: Number(row.sequence),
    hash: Buffer.from(row.hash),
    checkpointSequence: Number(row.checkpoint_sequence),
    checkpointHash: Buffer.from(row.checkpoint_hash),
    brokenAt: row.broken_at === null ? null : Number(row.broken_at),
    createdAt: new Date(Number(row.created_at_ms)),
    seal: Buffer.from(row.seal),
  };
}

/** Locks those of the accounts that exist, so that none of them is erased in the meantime. */
export async function lockAccounts(tx: Tx, accountIds: readonly AccountId[]): Promise<string[]> {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...accountIds]))
    .orderBy(asc(accounts.id))
    .for('key share');
  return rows.map(({ id }) => id);
}

/** Adds heads to accounts without one. A head that another transaction adds stays. */
export async function insertHeads(db: Db | Tx, heads: AuditHead[]): Promise<void> {
  await db.insert(auditHeads).values(heads).onConflictDoNothing();
}

export async function updateHead(tx: Tx, { accountId, ...head }: AuditHead): Promise<void> {
  await tx.update(auditHeads).set(head).where(eq(auditHeads.accountId, accountId));
}

/** The next heads of all accounts, locked. */
export async function listHeads(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditHead[]> {
  return await tx
    .select()
    .from(auditHeads)
    .where(after === null ? undefined : gt(auditHeads.accountId, after))
    .orderBy(asc(auditHeads.accountId))
    .limit(limit)
    .for('update');
}

/** The newest entry that has a place in the account's chain. */
export async function findLastChained(
  tx: Tx,
  accountId: AccountId,
): Promise<{ sequence: number; hash: Buffer } | null> {
  const [last] = await tx
    .select({ sequence: auditEntries.sequence, hash: auditEntries.hash })
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), isNotNull(auditEntries.sequence)))
    .orderBy(desc(auditEntries.sequence))
    .limit(1);
  if (!last || last.sequence === null || last.hash === null) return null;
  return { sequence: last.sequence, hash: last.hash };
}

const olderKeys = 'audit_keys';

/** The encrypted keys of the chain from before changes of SECRET_KEY. */
export async function readOlderKeys(db: Db): Promise<string[]> {
  const [row] = await db.select().from(settings).where(eq(settings.name, olderKeys));
  return row ? (row.value as string[]) : [];
}

export async function replaceOlderKeys(db: Db, value: string[]): Promise<void> {
  await db
    .insert(settings)
    .values({ name: olderKeys, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}
