import { and, desc, gte, lt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../open.ts';
import { sqlInstant } from './instants.ts';

/**
 * Which transactions were committed at some moment, as PostgreSQL writes it: `xmin:xmax:xip_list`.
 * All below `xmin` had ended; of those from there to `xmax`, the ones in the list had not.
 */
export type Snapshot = string;

type ListedTable = { addedBy: PgColumn; id: PgColumn };

/** All rows of a list that is followed, regardless of a client's filters. */
export type FollowedList = { table: PgTable & ListedTable; where: SQL | undefined };

/**
 * The snapshot of this moment (`current`), and one that has the same rows of a list, but ends with
 * the newest of them (`ofList`).
 *
 * Only the second may be kept in a cursor. PostgreSQL can lose in a crash that it gave a number to a
 * transaction which was rolled back, or whose commit did not wait for the disk, and gives the number
 * to another transaction, whose rows would count as seen. The commit of a row that can be read is on
 * disk, and no number up to that of its transaction is given again.
 */
export async function readSnapshot(
  db: Db | Tx,
  { table, where }: FollowedList,
): Promise<{ current: Snapshot; ofList: Snapshot }> {
  const newest = db
    .select({ addedBy: table.addedBy })
    .from(table)
    .where(where)
    .orderBy(desc(table.addedBy), desc(table.id))
    .limit(1);
  // One statement, which has one snapshot.
  const { rows } = await db.execute<{ current: string; newest: string | null }>(
    sql`select pg_current_snapshot()::text as current, (${newest})::text as newest`,
  );
  const { current = '', newest: last } = rows[0] ?? {};
  return { current, ofList: endWith(current, BigInt(last ?? 0)) };
}

/**
 * A snapshot goes into a cursor, so its list is bounded: one that ends earlier counts later
 * transactions as not committed yet, and their rows are found with the next snapshot.
 */
const maxInProgress = 50;

function endWith(snapshot: Snapshot, last: bigint): Snapshot {
  const [xmin = '', xmax = '', list = ''] = snapshot.split(':');
  let end = BigInt(xmax) > last ? last + 1n : BigInt(xmax);
  const inProgress = list.split(',').filter((id) => id !== '' && BigInt(id) < end);
  end = BigInt(inProgress[maxInProgress] ?? end);
  const start = BigInt(xmin) < end ? xmin : end;
  return `${start}:${end}:${inProgress.slice(0, maxInProgress).join(',')}`;
}

const maxTransaction = 2n ** 63n - 1n;

/** Whether PostgreSQL accepts a text from a client as a snapshot. */
export function isSnapshot(text: string): boolean {
  if (!/^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19}){0,49})?$/.test(text)) return false;
  const [first = '', end = '', list = ''] = text.split(':');
  const [xmin, xmax] = [BigInt(first), BigInt(end)];
  const inProgress = list === '' ? [] : list.split(',').map(BigInt);
  const ascending = inProgress.every(
    (id, index) => index === 0 || id > (inProgress[index - 1] ?? id),
  );
  const inside = inProgress.every((id) => id >= xmin && id < xmax);
  return xmin >= 1n && xmin <= xmax && xmax <= maxTransaction && ascending && inside;
}

/** Whether one snapshot ends after another; no snapshot of an older moment does. */
export function endsAfter(snapshot: Snapshot, other: Snapshot): boolean {
  return BigInt(snapshot.split(':')[1] ?? 0) > BigInt(other.split(':')[1] ?? 0);
}

/** The rows that were committed after one snapshot and up to another, perhaps without the first. */
type CommittedRange = { from: Snapshot; to: Snapshot; after: AddedRow | null };

/** What identifies a row among those that were committed since. */
export type AddedRow = { addedBy: string; id: number };

/** Below an id, newest first, or in a range of what was committed, in the order of adding. */
export type PagePosition = { before: number | null } | CommittedRange;

/** The condition on the rows of a page, for a table with an index that ends with `added_by, id`. */
export function isOnPage(table: ListedTable, position: PagePosition): SQL | undefined {
  if ('before' in position) {
    return position.before === null ? undefined : lt(table.id, position.before);
  }
  const { from, to, after } = position;
  return and(
    // Implied by the next condition, which no index can answer.
    sql`${table.addedBy} >= pg_snapshot_xmin(${from}::pg_snapshot)`,
    sql`not pg_visible_in_snapshot(${table.addedBy}, ${from}::pg_snapshot)`,
    sql`pg_visible_in_snapshot(${table.addedBy}, ${to}::pg_snapshot)`,
    after === null
      ? undefined
      : sql`(${table.addedBy}, ${table.id}) > (${after.addedBy}::xid8, ${after.id}::bigint)`,
  );
}

export function orderOfPage(table: ListedTable, position: PagePosition): (PgColumn | SQL)[] {
  return 'before' in position ? [desc(table.id)] : [table.addedBy, table.id];
}

/**
 * The condition that rows were made in a window of time. With bounds of the ids, the window is read
 * without the rest of the list, if the table has an index on `created_at`. Ids ascend in the order
 * of time, except for transactions that waited and for clocks that differ: five minutes are enough
 * for both.
 */
export function isCreatedWithin(
  table: PgTable & { id: PgColumn; createdAt: PgColumn },
  { since, until }: { since: Date | undefined; until: Date | undefined },
): SQL | undefined {
  return and(
    since &&
      sql`${gte(table.createdAt, since)} and ${table.id} > coalesce((
        select bound.id from ${table} as bound
        where bound.created_at < ${sqlInstant(since)} - interval '5 minutes'
        order by bound.created_at desc limit 1), 0)`,
    until &&
      sql`${lt(table.createdAt, until)} and ${table.id} < coalesce((
        select bound.id from ${table} as bound
        where bound.created_at >= ${sqlInstant(until)} + interval '5 minutes'
        order by bound.created_at limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`,
  );
}
