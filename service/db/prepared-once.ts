import type { Db, Tx } from './open.ts';
import { addPreparedText } from './prepared-texts.ts';
import { createRowMapper } from './row-mapper.ts';
import type { SelectedField } from './row-mapper.ts';

/**
 * Builds a query once and reuses it. For small reads on the hot path, where building the query costs
 * as much as everything else that this process does for it. Outside transactions, PostgreSQL runs it in
 * a batch with others over one connection (`postgres/batch-reads.ts`), so it must finish within a few
 * milliseconds.
 *
 * @param build ends with `.prepare(unnamed)`; the values are `sql.placeholder`s
 */
export function preparedOnce<Statement extends { getQuery(): { sql: string } }>(
  build: (db: Db | Tx) => Statement,
): (db: Db | Tx) => Statement {
  const built = new WeakMap<object, Statement>();
  return (db) => {
    // Of each engine there is one class of databases and one of transactions.
    let known = built.get(db.constructor);
    if (!known) {
      known = build(db);
      const { fields } = known as { fields?: readonly SelectedField[] };
      Object.assign(known, { client: null, customResultMapper: createRowMapper(fields) });
      built.set(db.constructor, known);
      addPreparedText(known.getQuery().sql);
    }
    // The caller has its own connection; that of a transaction is its only until it ends.
    const { client, logger } = sessionOf(db);
    return Object.assign(Object.create(known) as Statement, { client, logger });
  };
}

/** The connection gives it a name of its own, where statements may have any (`DATABASE_PREPARE`). */
export const unnamed = '';

/** What drizzle sends statements with; its types leave it out. */
function sessionOf(db: Db | Tx): { client: unknown; logger: unknown } {
  return (db as unknown as { session: { client: unknown; logger: unknown } }).session;
}
