import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { erasureCutoff } from '../people/accounts/deletion.ts';
import { forgetInitialValuesOf } from '../people/set-up/initial-values.ts';
import { removeInBatches } from '../remove-in-batches.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
import { deletePeopleOfNoAccount } from './store.ts';

type EraseContext = Pick<Context, 'maintenanceDb' | 'clock'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/**
 * Erases people who left, or were removed from, their last account and installation support, after
 * the time for which a deleted account is kept: until then an account can take them back as they
 * were. People with an invitation or a session are kept. Rotation requests name the people who made
 * them and are part of an account's history, so those people are kept as long as the audit log
 * names them.
 */
export async function erasePeopleWithoutAccount(
  ctx: EraseContext,
  rest: PauseBetweenBatches,
): Promise<void> {
  const now = ctx.clock.now();
  const since = erasureCutoff(now);
  const requestsSince = new Date(now.getTime() - ctx.config.auditRetentionDays * dayMs);
  await removeInBatches(rest, async (limit) => {
    return await ctx.maintenanceDb.transaction(async (tx) => {
      const emails = await deletePeopleOfNoAccount(tx, { since, requestsSince, now, limit });
      await forgetInitialValuesOf(tx, emails);
      return emails.length;
    });
  });
}
