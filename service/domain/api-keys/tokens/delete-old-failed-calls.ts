import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches } from '../../remove-in-batches.ts';
import type { PauseBetweenBatches } from '../../remove-in-batches.ts';
import { deleteFailedCallCounts, deleteFailedCalls } from '../store/failed-calls.ts';

const keptMs = 30 * dayMs;

/** Removes refused and failed calls, and their counts, after 30 days. */
export async function deleteOldFailedCalls(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rest: PauseBetweenBatches,
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  await removeInBatches(rest, (limit) => deleteFailedCalls(db, before, limit));
  await removeInBatches(rest, (limit) => deleteFailedCallCounts(db, before, limit));
}
