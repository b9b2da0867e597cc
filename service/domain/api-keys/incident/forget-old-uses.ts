import type { Context } from '../../../context.ts';
import { deleteIncidentsBefore } from '../store/incidents.ts';
import { deleteOldTokenUses } from '../store/token-uses.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long it is counted how often tokens were used, and known from where. */
const countedMs = 48 * hourMs;
const usedFromMs = 30 * dayMs;
/** A client with many addresses, as IPv6 gives it, does not fill the database. */
const mostAddresses = 500;

/** Removes what is kept of the use of tokens for a while only, and incidents with their audit entries. */
export async function forgetOldUses(
  ctx: Pick<Context, 'db' | 'clock'> & { config: Pick<Context['config'], 'auditRetentionDays'> },
): Promise<void> {
  const now = ctx.clock.now().getTime();
  await deleteOldTokenUses(ctx.db, {
    countedBefore: new Date(now - countedMs),
    usedBefore: new Date(now - usedFromMs),
    mostAddresses,
  });
  await deleteIncidentsBefore(ctx.db, new Date(now - ctx.config.auditRetentionDays * dayMs));
}
