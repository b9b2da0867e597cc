import type { Logger } from '../log/log.ts';
import { isTemporaryError } from './is-temporary-error.ts';

/**
 * How many items in a row may fail with a temporary error. One alone may be a deadlock; after two,
 * the database is probably away, and each further item would wait for it.
 */
export const maxTemporaryErrorsInARow = 2;

/**
 * Acts on each item in turn. If an item fails, that is logged, and the others follow, unless the
 * database is away: then the rest wait for the next run.
 *
 * @param options.failure logged if an item fails, with the fields that name it
 */
export async function processEach<Item>(
  items: readonly Item[],
  {
    act,
    log,
    failure,
    name,
  }: {
    act: (item: Item) => Promise<unknown>;
    log: Pick<Logger, 'error'>;
    failure: string;
    name: (item: Item) => Record<string, string | number>;
  },
): Promise<void> {
  let temporaryErrorsInARow = 0;
  for (const item of items) {
    try {
      await act(item);
      temporaryErrorsInARow = 0;
    } catch (error) {
      log.error({ err: error, ...name(item) }, failure);
      temporaryErrorsInARow = isTemporaryError(error) ? temporaryErrorsInARow + 1 : 0;
      if (temporaryErrorsInARow === maxTemporaryErrorsInARow) return;
    }
  }
}
