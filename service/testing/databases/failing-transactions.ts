import type { Db } from '../../db/open.ts';

/** The same database, in which the first `count` transactions fail. */
export function failingFirst(
  db: Db,
  count: number,
  error = new Error('the statement took too long'),
): Db {
  return beforeTransactions(db, (number) => {
    if (number <= count) throw error;
  });
}

/** The same database, in which each transaction waits for `before`; the first is number 1. */
export function beforeTransactions(db: Db, before: (number: number) => void | Promise<void>): Db {
  let begun = 0;
  const transaction: Db['transaction'] = async (...given) => {
    begun += 1;
    await before(begun);
    return await db.transaction(...given);
  };
  return Object.assign(Object.create(db) as Db, { transaction });
}
