import type { Db, Tx } from './open.ts';

/** The texts of what `preparedOnce` built. */
const texts = new Set<string>();

/**
 * A small read that the query builder puts together once for each database, for what is asked at
 * nearly every call: building one takes as long as all else that this process does for it. In a
 * transaction it is built anew. On PostgreSQL it shares a connection with others of its kind
 * (`postgres/batch-reads.ts`), so it must never take more than a few milliseconds.
 *
 * @param build ends with `.prepare(unnamed)`; the values are `sql.placeholder`s
 */
export function preparedOnce<Statement extends { getQuery(): { sql: string } }>(
  build: (db: Db | Tx) => Statement,
): (db: Db | Tx) => Statement {
  const built = new WeakMap<Db | Tx, Statement>();
  return (db) => {
    const known = built.get(db);
    if (known) return known;
    const statement = build(db);
    built.set(db, statement);
    texts.add(statement.getQuery().sql);
    return statement;
  };
}

/** Whether this is the text of a statement that `preparedOnce` built. */
export function isPreparedOnce(text: string): boolean {
  return texts.has(text);
}

/** The connection gives it a name of its own, where statements may have any (`DATABASE_PREPARE`). */
export const unnamed = '';
