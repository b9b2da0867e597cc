import { sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';

/**
 * How many statements wait for a lock of another transaction, in this database of PostgreSQL. Other
 * tests use other databases of the same server at the same time.
 */
export async function countLockWaits({ db }: { db: Db }): Promise<number> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
