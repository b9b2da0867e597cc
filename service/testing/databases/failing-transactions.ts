import type { Db } from '../../db/open.ts';

/** The same database, in which the first `count` transactions fail. */
export function failingFirst(
  db: Db,
  count: number,
  error = new Error('the statement took too long'),
): Db {
  let begun = 0;
  const transaction: Db['transaction'] = async (...given) => {
    begun += 1;
    if (begun <= count) throw error;
    return await db.transaction(...given);
  };
  return Object.assign(Object.create(db) as Db, { transaction });
}
