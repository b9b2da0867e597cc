import { dayMs, hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches, type PauseBetweenBatches } from '../../in-batches.ts';
import { deleteFailedCallCounts, deleteFailedCalls } from '../store/failed-calls.ts';
import {
  deleteAddressesBeyond,
  deleteTokenAddresses,
  deleteTokenCalls,
  listTokensWithTooManyAddresses,
} from '../store/token-uses.ts';
import { maxAddresses } from './pending-use.ts';

/** How long the call counts of tokens are kept, and how long the addresses they were used from. */
const countedMs = 48 * hourMs;
const usedFromMs = 30 * dayMs;

/**
 * Removes call counts of tokens after 48 hours, and the addresses they were used from after 30
 * days; of each token also the addresses beyond the latest 500.
 */
export async function deleteOldTokenUses(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rest: PauseBetweenBatches,
): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  const countedBefore = before(countedMs);
  await removeInBatches(rest, (limit) => deleteTokenCalls(db, countedBefore, limit));
  const usedBefore = before(usedFromMs);
  await removeInBatches(rest, (limit) => deleteTokenAddresses(db, usedBefore, limit));
  for (const token of await listTokensWithTooManyAddresses(db, maxAddresses)) {
    const crowded = { ...token, max: maxAddresses };
    await removeInBatches(rest, (limit) => deleteAddressesBeyond(db, crowded, limit));
  }
}

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
