import { dayMs, hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches } from '../../remove-in-batches.ts';
import type { PauseBetweenBatches } from '../../remove-in-batches.ts';
import { deleteIncidentsBefore } from '../store/incidents.ts';
import { maxAddresses } from '../tokens/pending-use.ts';
import {
  deleteAddressesBeyond,
  deleteTokenAddresses,
  deleteTokenCalls,
  listTokensWithTooManyAddresses,
} from '../store/token-uses.ts';

/** How long the call counts of tokens are kept, and how long the addresses they were used from. */
const countedMs = 48 * hourMs;
const usedFromMs = 30 * dayMs;

type UsesContext = Pick<Context, 'db' | 'clock'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/**
 * Removes expired call counts and addresses of tokens, and incidents as old as the audit entries
 * that are removed.
 */
export async function deleteOldUses(
  { db, clock, config }: UsesContext,
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
  await deleteIncidentsBefore(db, before(config.auditRetentionDays * dayMs));
}
