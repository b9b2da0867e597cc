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
