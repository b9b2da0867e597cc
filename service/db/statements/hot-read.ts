import { Socket } from 'node:net';
import { Column, fillPlaceholders, is, SQL } from 'drizzle-orm';
import type { PgColumn, PgDatabase, PgQueryResultHKT, PgSelectBuilder } from 'drizzle-orm/pg-core';
import type pg from 'pg';

/** Runs a read outside of transactions, and returns the values of each row. */
export type ReadRows = (text: string, values: unknown[]) => Promise<unknown[][]>;

/** A database or a transaction. */
type Handle = Pick<PgDatabase<PgQueryResultHKT>, 'select'> & { readRows?: ReadRows };

/** What a read selects: columns, expressions, and objects of these, such as one for each table. */
type Selected = Record<string, PgColumn | SQL | Record<string, PgColumn | SQL>>;

type Read<Row> = {
  toSQL(): { sql: string; params: unknown[] };
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<Row[]> };
};

/**
 * A small read on the hot path, where building the query and finding the decoder for each value take
 * longer than everything else this process does for it. Its text is built once, and each column
 * decodes its values. It must finish within a few milliseconds, because on PostgreSQL other reads
 * wait for it on the same connection.
 *
 * Transactions, and databases without `readRows`, run it as an ordinary query.
 *
 * @param columns expressions in SQL are read as the driver returns them, so none has `mapWith`
 * @param build the query; its values are `sql.placeholder`s
 */
export function hotRead<Columns extends Selected, Row>(
  columns: Columns,
  build: (select: PgSelectBuilder<Columns>) => Read<Row>,
): (db: Handle, values: Record<string, unknown>) => Promise<Row[]> {
  let built: ReturnType<Read<Row>['toSQL']> | null = null;
  return async (db, values) => {
    if (!db.readRows) return await build(db.select(columns)).prepare('').execute(values);
    built ??= build(db.select(columns)).toSQL();
    const rows = await db.readRows(built.sql, fillPlaceholders(built.params, values));
    return rows.map((row) => decode(columns, row.values()) as Row);
  };
}

/** @param values in the order of the columns */
function decode(columns: Selected, values: Iterator<unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const name in columns) {
    const column = columns[name];
    if (column && !is(column, Column) && !is(column, SQL)) {
      row[name] = decode(column, values);
      continue;
    }
    const value: unknown = values.next().value;
    row[name] = value === null || !is(column, Column) ? value : column.mapFromDriverValue(value);
  }
  return row;
}

/**
 * Sends the reads of one turn of the event loop together over one connection. If each of them took
 * its own connection and round trip, a call that reads a list would take much more processor time.
 * While every connection is in use, reads wait and form the next batch.
 *
 * @param readers a pool with `pipeline`: its connections accept a statement before the last one has
 *   its result
 */
export function batchReads(readers: pg.Pool): ReadRows {
  /** The batch that still waits for its connection. */
  let next: { client: Promise<pg.PoolClient>; unfinished: number } | null = null;
  const connect = async () => {
    try {
      return await readers.connect();
    } finally {
      next = null;
    }
  };
  return async (text, values) => {
    const batch = (next ??= { client: connect(), unfinished: 0 });
    batch.unfinished += 1;
    const client = await batch.client;
    try {
      return (await client.query<unknown[]>({ text, rowMode: 'array' }, values)).rows;
    } finally {
      batch.unfinished -= 1;
      if (batch.unfinished === 0) client.release();
    }
  };
}

/** A socket for readers: sends everything together that `pg` writes in one turn. */
export class GatheringSocket extends Socket {
  /** `pg` corks the socket before it writes a statement, and uncorks it afterwards. */
  override uncork(): void {
    process.nextTick(() => {
      super.uncork();
    });
  }
}
