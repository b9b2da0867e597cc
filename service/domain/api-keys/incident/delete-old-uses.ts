import { dayMs, hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { removeInBatches } from '../../remove-in-batches.ts';
import type { Rest } from '../../remove-in-batches.ts';
import { deleteIncidentsBefore } from '../store/incidents.ts';
import { maxAddresses } from '../tokens/pending-use.ts';
import {
  deleteAddressesBeyond,
  deleteTokenAddresses,
  deleteTokenCalls,
  listCrowdedTokens,
} from '../store/token-uses.ts';

/** How long it is counted how often tokens were used, and known from where. */
const countedMs = 48 * hourMs;
const usedFromMs = 30 * dayMs;

type UsesContext = Pick<Context, 'db' | 'clock'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/** Removes what is kept of the use of tokens for a while only, and incidents with their audit entries. */
export async function forgetOldUses({ db, clock, config }: UsesContext, rest: Rest): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  const countedBefore = before(countedMs);
  await removeInBatches(rest, (limit) => deleteTokenCalls(db, countedBefore, limit));
  const usedBefore = before(usedFromMs);
  await removeInBatches(rest, (limit) => deleteTokenAddresses(db, usedBefore, limit));
  for (const token of await listCrowdedTokens(db, maxAddresses)) {
    const crowded = { ...token, most: maxAddresses };
    await removeInBatches(rest, (limit) => deleteAddressesBeyond(db, crowded, limit));
  }
  await deleteIncidentsBefore(db, before(config.auditRetentionDays * dayMs));
}
