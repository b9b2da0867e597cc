import { sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';

/**
 * The transactions that are writing events, of any account. A statement that writes an event locks
 * the table, in a mode that no reader waits for, before it takes the snapshot in which it sees the
 * webhooks, and its transaction keeps this lock until it ends. So what is not listed sees everything
 * that was committed before.
 */
export async function listEventWriters(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ writer: string }>(sql`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'events'::regclass
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.map(({ writer }) => writer);
}

/** Whether one of these transactions has not ended. */
export async function isAnyWriting(tx: Tx, writers: readonly string[]): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from pg_locks
    where locktype = 'virtualxid' and virtualxid = any (${sql.param([...writers])}::text[])
    limit 1`);
  return rows.length > 0;
}
