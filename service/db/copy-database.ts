import { getTableName, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from './open.ts';
import { tables } from './schema/tables.ts';

/** Few enough that the largest attempts, with their bodies, fit into memory. */
const rowsAtOnce = 200;

/**
 * Copies all rows, and the ids that come next, into a database of either engine that has the same
 * tables, in one transaction.
 *
 * @returns how many rows were copied; null, and nothing is copied, if the target has rows already
 */
export async function copyDatabase({ from, to }: { from: Db; to: Db }): Promise<number | null> {
  return await from.transaction(async (source) =>
    to.transaction(async (target) => {
      if (!(await isEmpty(target))) return null;
      let copied = 0;
      for (const table of inOrderOfReferences()) copied += await copyRows(table, source, target);
      await copySequences(source, target);
      return copied;
    }),
  );
}

async function isEmpty(db: Tx): Promise<boolean> {
  for (const table of Object.values<PgTable>(tables)) {
    const { rows } = await db.execute(sql`select from ${table} limit 1`);
    if (rows.length > 0) return false;
  }
  return true;
}

/** The tables, each after those that its foreign keys refer to. */
function inOrderOfReferences(): ReadonlySet<PgTable> {
  const ordered = new Set<PgTable>();
  const add = (table: PgTable) => {
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable);
    ordered.add(table);
  };
  for (const table of Object.values<PgTable>(tables)) add(table);
  return ordered;
}

/**
 * Rows travel as JSON, in whose form both engines write and read every type without loss. Those of
 * the target are added by its own transaction.
 */
async function copyRows(table: PgTable, source: Tx, target: Tx): Promise<number> {
  const name = sql.identifier(getTableName(table));
  const copiedColumns = getTableConfig(table)
    .columns.filter((column) => column.getSQLType() !== 'xid8')
    .map((column) => sql.identifier(column.name));
  const columns = sql.join(copiedColumns, sql`, `);
  await source.execute(
    sql`declare copied_rows no scroll cursor for select row_to_json(copied)::text as json from (select ${columns} from ${name}) as copied`,
  );
  let copied = 0;
  for (;;) {
    const { rows } = await source.execute<{ json: string }>(
      sql`fetch ${sql.raw(String(rowsAtOnce))} from copied_rows`,
    );
    if (rows.length === 0) break;
    const batch = `[${rows.map(({ json }) => json).join(',')}]`;
    await target.execute(
      sql`insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, ${batch}::json)`,
    );
    copied += rows.length;
  }
  await source.execute(sql`close copied_rows`);
  return copied;
}

async function copySequences(source: Tx, target: Tx): Promise<void> {
  const { rows } = await source.execute<{ name: string; last: string }>(
    sql`select sequencename as name, last_value::text as last from pg_sequences where schemaname = current_schema() and last_value is not null`,
  );
  for (const { name, last } of rows) {
    await target.execute(sql`select setval(quote_ident(${name})::regclass, ${last}::bigint)`);
  }
}
