import type { Db, Tx } from '../open.ts';
import { addPreparedText } from './prepared-texts.ts';
import { createRowMapper } from './row-mapper.ts';
import type { SelectedField } from './row-mapper.ts';

/**
 * Builds a query once and reuses it. Use it for small reads on the hot path, where building the
 * query takes as long as everything else this process does for it. On PostgreSQL outside of
 * transactions, the query runs in a batch with others over one connection
 * (`postgres/batch-reads.ts`), so it must finish within a few milliseconds.
 *
 * @param build ends with `.prepare(unnamed)`; its values are `sql.placeholder`s
 */
export function preparedOnce<Statement extends { getQuery(): { sql: string } }>(
  build: (db: Db | Tx) => Statement,
): (db: Db | Tx) => Statement {
  const built = new WeakMap<object, Statement>();
  return (db) => {
    // Each engine has one class of databases and one of transactions.
    let known = built.get(db.constructor);
    if (!known) {
      known = build(db);
      const { fields } = known as { fields?: readonly SelectedField[] };
      Object.assign(known, { client: null, customResultMapper: createRowMapper(fields) });
      built.set(db.constructor, known);
      addPreparedText(known.getQuery().sql);
    }
    // The connection of the caller; a transaction has its own until it ends.
    const { client, logger } = sessionOf(db);
    return Object.assign(Object.create(known) as Statement, { client, logger });
  };
}

/**
 * With this name, the connection chooses a name if it may prepare statements (`DATABASE_PREPARE`).
 */
export const unnamed = '';

/** The session through which drizzle sends statements; its types do not declare it. */
function sessionOf(db: Db | Tx): { client: unknown; logger: unknown } {
  return (db as unknown as { session: { client: unknown; logger: unknown } }).session;
}
