import type { Db, Tx } from './open.ts';

/**
 * A statement that the query builder puts together once for each database, for what is asked at
 * nearly every call: building one takes as long as all else that this process does for a small read.
 * In a transaction it is built anew.
 *
 * @param build ends with `.prepare(unnamed)`; the values are `sql.placeholder`s
 */
export function preparedOnce<Statement>(
  build: (db: Db | Tx) => Statement,
): (db: Db | Tx) => Statement {
  const built = new WeakMap<Db | Tx, Statement>();
  return (db) => {
    const known = built.get(db);
    if (known) return known;
    const statement = build(db);
    built.set(db, statement);
    return statement;
  };
}

/** The connection gives it a name of its own, where statements may have any (`DATABASE_PREPARE`). */
export const unnamed = '';
