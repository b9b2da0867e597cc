import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  notExists,
  sql,
} from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/accounts.ts';
import { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import { settings } from '../../../db/schema/settings.ts';
import type { AccountId } from '../../account-id.ts';
import type { AuditHead } from '../chain/head.ts';

type AuditEntryRow = typeof auditEntries.$inferSelect;

/** An entry with its place in the chain. */
export type ChainedRow = AuditEntryRow & { sequence: number; hash: Buffer };

/**
 * Locks the heads of accounts, in the order of their ids, and takes new entry ids for each. Since an
 * id is taken while the head is locked, the ids of an account's entries ascend as its chain does.
 *
 * The accounts' rows are locked first, as the entries' foreign key does later: whoever erases an
 * account locks its row before its head.
 *
 * @param idsEach how many ids each account gets
 */
export async function lockHeads(
  tx: Tx,
  accountIds: readonly AccountId[],
  idsEach: number,
): Promise<Map<string, { head: AuditHead; ids: number[] }>> {
  // Written by hand: every audit entry takes this way, and to build it costs more than to run it.
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

/** The engines give large numbers as strings or as numbers. */
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

/** Locks those of the accounts that exist, so that none of them is erased meanwhile. */
export async function lockAccounts(tx: Tx, accountIds: readonly AccountId[]): Promise<string[]> {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...accountIds]))
    .orderBy(asc(accounts.id))
    .for('key share');
  return rows.map(({ id }) => id);
}

/** Adds heads of accounts that have none. One that another transaction adds meanwhile stays. */
export async function insertHeads(db: Db | Tx, heads: AuditHead[]): Promise<void> {
  await db.insert(auditHeads).values(heads).onConflictDoNothing();
}

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

export async function updateHead(tx: Tx, { accountId, ...head }: AuditHead): Promise<void> {
  await tx.update(auditHeads).set(head).where(eq(auditHeads.accountId, accountId));
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

/** An account that has entries without a place in its chain; those of all accounts are looked at. */
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

/** Gives entries that had no place in the account's chain theirs. */
export async function chainRows(
  tx: Tx,
  accountId: AccountId,
  rows: readonly ChainedRow[],
): Promise<void> {
  const given = rows.map(({ id, sequence, hash }) => ({
    id,
    sequence,
    hash: hash.toString('hex'),
  }));
  await tx.execute(sql`
    update audit_entries
    set sequence = given.sequence, hash = decode(given.hash, 'hex'), is_chained_later = true
    from json_to_recordset(${JSON.stringify(given)}::json)
      as given (id bigint, sequence bigint, hash text)
    where audit_entries.account_id = ${accountId} and audit_entries.id = given.id
  `);
}

/** The first entries of an account's chain, then those without a place. */
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
  // What the trigger that keeps the log append-only asks for, in this transaction alone.
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

/** An account, of all, whose chain begins with an entry from before a moment. */
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
    .where(sql`(${oldest}) < ${before.toISOString()}::timestamptz`)
    .limit(1);
  return account?.id ?? null;
}

/** A part of a chain, and its ends at that same moment. */
export type ChainPart = {
  head: AuditHead | null;
  /** Up to `limit` entries after a place, those that retention removed left out. */
  rows: ChainedRow[];
};

/**
 * Reads on in an account's chain, in one statement, so that writers and retention may go on.
 * @returns null if the account is erased
 */
export async function readChainPart(
  db: Db,
  accountId: AccountId,
  about: { after: number; limit: number },
): Promise<ChainPart | null> {
  const part = db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, accountId),
        gt(
          auditEntries.sequence,
          sql`greatest(${about.after}::bigint, coalesce(${auditHeads.checkpointSequence}, 0))`,
        ),
      ),
    )
    .orderBy(asc(auditEntries.sequence))
    .limit(about.limit)
    .as('part');
  const columns = Object.keys(getTableColumns(auditEntries)) as (keyof AuditEntryRow)[];
  const entry = Object.fromEntries(columns.map((name) => [name, part[name]]));
  const rows = await db
    .select({ head: auditHeads, entry })
    .from(accounts)
    .leftJoin(auditHeads, eq(auditHeads.accountId, accounts.id))
    .leftJoinLateral(part, sql`true`)
    .where(eq(accounts.id, accountId));
  const [first] = rows;
  if (!first) return null;
  return {
    head: first.head,
    rows: rows.flatMap((row) =>
      row.entry && row.entry['id'] !== null ? [row.entry as ChainedRow] : [],
    ),
  };
}

export async function countUnchained(db: Db, accountId: AccountId): Promise<number> {
  return await db.$count(
    auditEntries,
    and(eq(auditEntries.accountId, accountId), isNull(auditEntries.sequence)),
  );
}

/** The next of all accounts, by their ids. */
export async function listNextAccounts(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; name: string }[]> {
  return await db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(after === null ? undefined : gt(accounts.id, after))
    .orderBy(asc(accounts.id))
    .limit(limit);
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
