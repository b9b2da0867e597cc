import type { Context } from '../../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
import { rememberedForMs } from './claim-request.ts';
import { deleteResponsesBefore } from './store.ts';

/** Removes the stored results of requests that are older than 24 hours. */
export async function deleteOldResponses(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rest: PauseBetweenBatches,
): Promise<void> {
  const oldest = new Date(clock.now().getTime() - rememberedForMs);
  await removeInBatches(rest, (limit) => deleteResponsesBefore(db, oldest, limit));
}
