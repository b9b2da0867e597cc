import { getTableColumns, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { keysOf } from '#lib/object-keys.ts';

/** What a column of a list can contain; null is SQL’s null. */
export type RowValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | readonly number[]
  | object
  | null;

/**
 * A list as rows of a statement, for example in a common table expression. Each column is one
 * parameter, regardless of the length of the list. PostgreSQL reads it faster than with
 * `json_to_recordset`, which builds a hash table for each row.
 *
 * @param columns the SQL type of each column: `bytea` for buffers, `bigint[]` for lists of numbers,
 *   `jsonb` for objects
 */
export function rowsFrom<Column extends string>(
  list: readonly Readonly<Record<NoInfer<Column>, RowValue>>[],
  columns: Readonly<Record<Column, string>>,
): SQL {
  const names = keysOf(columns);
  const typed = names.map((name) => `${name}::${columns[name]}`).join(', ');
  const values = names.map((name) => {
    const json = JSON.stringify(list.map((row) => asElement(row[name])));
    return sql`json_array_elements_text(${json}::json)`;
  });
  return sql`(
    select ${sql.raw(typed)}
    from rows from (${sql.join(values, sql`, `)}) as listed (${sql.raw(names.join(', '))})
  )`;
}

/** Rows of a table as `rowsFrom` has them, under the names and with the types of its columns. */
export function rowsOf<Table extends PgTable>(
  table: Table,
  rows: readonly Table['$inferInsert'][],
): SQL {
  const columns = Object.entries(getTableColumns(table));
  const list = rows.map((row) => {
    const values: Readonly<Record<string, RowValue>> = row;
    return Object.fromEntries(columns.map(([key, { name }]) => [name, values[key] ?? null]));
  });
  return rowsFrom(
    list,
    Object.fromEntries(columns.map(([, column]) => [column.name, column.getSQLType()])),
  );
}

/** A value as JSON whose text PostgreSQL converts to the type of its column. */
function asElement(value: RowValue): RowValue {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return value;
}
