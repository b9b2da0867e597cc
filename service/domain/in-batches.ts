import type { Db, Tx } from '../db/open.ts';

/** Rows of one statement: few enough that other transactions hardly wait for their locks. */
const batchSize = 500;

/** Resolves when the next batch may begin: true to continue, false to stop. */
export type PauseBetweenBatches = () => Promise<boolean>;

/**
 * Repeats a removal, with a rest after each batch, until it removes less than a whole batch. One
 * statement for everything could exceed the time limit of a statement, and would then remove
 * nothing.
 *
 * @param remove removes at most `limit` rows, and returns how many
 */
export async function removeInBatches(
  rest: PauseBetweenBatches,
  remove: (limit: number) => Promise<number>,
): Promise<void> {
  let shouldContinue = true;
  while (shouldContinue && (await remove(batchSize)) === batchSize) shouldContinue = await rest();
}

/**
 * Replaces stored values in batches, each in its own transaction, so that it can be interrupted
 * without harm.
 *
 * @param options.lock reads and locks the next rows, in the order of `nameOf`
 * @returns how many there were
 */
export async function reencryptInBatches<Row>(
  db: Db,
  {
    lock,
    nameOf,
    replace,
  }: {
    lock: (tx: Tx, batch: { after: string | null; limit: number }) => Promise<Row[]>;
    nameOf: (row: Row) => string;
    replace: (tx: Tx, row: Row) => Promise<void>;
  },
): Promise<number> {
  let after: string | null = null;
  let count = 0;
  do {
    after = await db.transaction(async (tx): Promise<string | null> => {
      const rows = await lock(tx, { after, limit: batchSize });
      for (const row of rows) await replace(tx, row);
      count += rows.length;
      const last = rows.at(-1);
      return last === undefined ? null : nameOf(last);
    });
  } while (after !== null);
  return count;
}
