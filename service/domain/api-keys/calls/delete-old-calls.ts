import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches, type PauseBetweenBatches } from '../../in-batches.ts';
import { callTables, deleteCallsBefore } from '../store/calls.ts';
import {
  deleteAddressesBeyond,
  deleteTokenAddresses,
  listTokensWithTooManyAddresses,
} from '../store/token-uses.ts';
import { maxAddresses } from '../tokens/pending-use.ts';

/** How long calls are counted, and how long the addresses from which tokens were used are kept. */
const keptMs = 30 * dayMs;

/** Removes calls and addresses after 30 days, and of each token those beyond the latest 500. */
export async function deleteOldCalls(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rest: PauseBetweenBatches,
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  for (const table of callTables) {
    await removeInBatches(rest, (limit) => deleteCallsBefore(db, table, { before, limit }));
  }
  await removeInBatches(rest, (limit) => deleteTokenAddresses(db, before, limit));
  for (const token of await listTokensWithTooManyAddresses(db, maxAddresses)) {
    const crowded = { ...token, max: maxAddresses };
    await removeInBatches(rest, (limit) => deleteAddressesBeyond(db, crowded, limit));
  }
}
