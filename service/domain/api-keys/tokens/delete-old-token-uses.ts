import { dayMs, hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches } from '../../remove-in-batches.ts';
import type { PauseBetweenBatches } from '../../remove-in-batches.ts';
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
