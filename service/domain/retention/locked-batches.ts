import { dayMs } from '#lib/durations.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
import { tryRetentionLock } from './store.ts';

/** Rows of one transaction: few enough that other transactions hardly wait for their locks. */
export const batchSize = 500;

/** How many rows a batch removed, or `busy` if another process is removing rows. */
export type Batch = number | 'busy';

/** Repeats a removal, each time in a transaction of its own, until it finds nothing. */
export async function* inBatches(
  { db }: { db: Db },
  remove: (tx: Tx) => Promise<number>,
): AsyncGenerator<Batch> {
  for (;;) {
    const removed = await db.transaction(async (tx): Promise<Batch> => {
      return (await tryRetentionLock(tx)) ? await remove(tx) : 'busy';
    });
    if (removed === 0) return;
    yield removed;
  }
}

/**
 * Runs batches, with a rest after each. Returns at once if another process is removing rows, which
 * then finishes the work.
 *
 * @returns how many rows were removed
 */
export async function takeBatches(
  { log }: { log: Logger },
  batches: AsyncGenerator<Batch>,
  rest: PauseBetweenBatches,
): Promise<number> {
  let removed = 0;
  for await (const batch of batches) {
    if (batch === 'busy') break;
    removed += batch;
    if (!(await rest())) break;
  }
  if (removed > 0) log.info({ removed }, 'expired data removed');
  return removed;
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}
