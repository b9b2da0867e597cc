import type { Context } from '../../context.ts';
import { claimDueLanes } from './store/claim-due-lanes.ts';
import type { TakeSize } from './take-deliveries.ts';
import { readTakenLanes } from './taken-delivery.ts';
import type { TakenLane } from './taken-delivery.ts';

/**
 * Leases lanes that are due and takes their first deliveries, in one statement. Lanes that another
 * session has locked are passed over.
 *
 * @param about `room` and `bytes`: of each lane; `limit`: lanes; `skipsExpiredLeases`: leaves alone the
 *   leases of other owners that ran out
 * @returns them, when the next lane wakes that was not due yet, and whether more are due: locked by
 *   somebody, or beyond the limit
 */
export async function claimLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  about: { owner: string; leaseMs: number; limit: number; skipsExpiredLeases?: boolean } & TakeSize,
): Promise<{ lanes: TakenLane[]; nextWakeAt: Date | null; isMoreDue: boolean }> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + about.leaseMs);
  const { rows, nextWakeMs, isMoreDue } = await claimDueLanes(ctx.db, {
    skipsExpiredLeases: false,
    ...about,
    now,
    leaseEnd,
  });
  return {
    lanes: readTakenLanes(ctx, rows),
    nextWakeAt: nextWakeMs === null ? null : new Date(nextWakeMs),
    isMoreDue,
  };
}
