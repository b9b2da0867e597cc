import { getTableName, sql } from 'drizzle-orm';
import { hotTables } from './hot-tables.ts';
import type { Db } from './open.ts';

/** Of a smaller table, any plan is a good one. */
const minRows = 500;

/**
 * Analyzes the hot tables that have half as many rows again as when they were last analyzed. Until
 * then connections keep plans for a small table, which read all of it. The embedded database analyzes
 * nothing by itself, and a server only once a minute: in the first minute of a new installation that
 * got 40,000 messages, writing down 500 deliveries took 650 ms on PostgreSQL.
 *
 * @returns the names of these tables
 */
export async function analyzeGrownTables({
  db,
  maintenanceDb,
}: {
  db: Db;
  /** Only the owner of a table may analyze it. */
  maintenanceDb: Db;
}): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace
      and relname = any (${`{${hotTables.map(getTableName).join(',')}}`}::text[])
      and pg_stat_get_live_tuples(oid) > ${minRows}::int + 1.5 * greatest(reltuples, 0)`);
  for (const { name } of rows) await maintenanceDb.execute(sql`analyze ${sql.identifier(name)}`);
  return rows.map(({ name }) => name);
}
