/** Rows of one statement: few enough that others hardly wait for their locks. */
const batchSize = 500;

/** Resolves when the next batch may begin: true to go on, false to end here. */
export type Rest = () => Promise<boolean>;

/**
 * Repeats a removal, with a rest after each, until it finds less than a whole batch. One statement
 * that removed everything would come to nothing where it takes longer than a statement may.
 *
 * @param remove removes at most `limit` rows, and says how many it did
 */
export async function removeInBatches(
  rest: Rest,
  remove: (limit: number) => Promise<number>,
): Promise<void> {
  let mayGoOn = true;
  while (mayGoOn && (await remove(batchSize)) === batchSize) mayGoOn = await rest();
}
