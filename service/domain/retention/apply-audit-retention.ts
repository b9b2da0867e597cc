import type { Context } from '../../context.ts';
import { removeExpiredEntries } from '../audit/remove-expired-entries.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
import { removeExpiredSearches } from '../support-desk/remove-expired-searches.ts';
import { batchSize, daysBefore, inBatches, takeBatches } from './locked-batches.ts';
import type { Batch } from './locked-batches.ts';

type AuditRetentionContext = Pick<Context, 'maintenanceDb' | 'auditKeys' | 'clock' | 'log'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/**
 * Removes audit entries and desk searches that are older than AUDIT_RETENTION_DAYS, in the same way
 * as `applyRetention` removes events: 500 rows at a time, by one process.
 *
 * @returns how many rows were removed
 */
export async function applyAuditRetention(
  ctx: AuditRetentionContext,
  rest: PauseBetweenBatches,
): Promise<number> {
  return await takeBatches(ctx, removeExpired(ctx), rest);
}

async function* removeExpired(ctx: AuditRetentionContext): AsyncGenerator<Batch> {
  const { maintenanceDb: db, auditKeys } = ctx;
  const now = ctx.clock.now();
  const before = daysBefore(now, ctx.config.auditRetentionDays);
  const about = { before, limit: batchSize, now };
  yield* inBatches({ db }, (tx) => removeExpiredEntries(tx, auditKeys, about));
  yield* inBatches({ db }, (tx) => removeExpiredSearches(tx, about));
}
