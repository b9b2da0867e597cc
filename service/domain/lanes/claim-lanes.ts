import type { Context } from '../../context.ts';
import { claimDueLanes } from './store/claim-due-lanes.ts';
import type { TakeSize } from './take-deliveries.ts';
import { readTakenLanes } from './read-taken-lanes.ts';
import type { TakenLane } from './read-taken-lanes.ts';

/**
 * Leases due lanes and takes their first deliveries, in one statement. Skips lanes that another
 * session has locked.
 *
 * @param options `room` and `bytes`: limits for each lane; `limit`: how many lanes;
 *   `skipsExpiredLeases`: whether to ignore expired leases of other owners
 * @returns the lanes, when the next lane becomes due, and whether more lanes are due now, because
 *   they are locked or beyond the limit
 */
export async function claimLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  options: {
    owner: string;
    leaseMs: number;
    limit: number;
    skipsExpiredLeases?: boolean;
  } & TakeSize,
): Promise<{ lanes: TakenLane[]; nextWakeAt: Date | null; isMoreDue: boolean }> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + options.leaseMs);
  const { rows, nextWakeMs, isMoreDue } = await claimDueLanes(ctx.db, {
    skipsExpiredLeases: false,
    ...options,
    now,
    leaseEnd,
  });
  return {
    lanes: readTakenLanes(ctx, rows),
    nextWakeAt: nextWakeMs === null ? null : new Date(nextWakeMs),
    isMoreDue,
  };
}
