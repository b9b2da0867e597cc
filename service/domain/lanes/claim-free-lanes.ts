import type { Context } from '../../context.ts';
import { claimFreeLaneRows } from './store/claim-free-lane-rows.ts';
import type { TakeSize } from './take-deliveries.ts';
import { readTakenLanes } from './taken-delivery.ts';
import type { TakenLane } from './taken-delivery.ts';

/**
 * Leases lanes in which something has just come due and takes their first deliveries, in one
 * statement, whether or not they are marked as due.
 *
 * @param about `room` and `bytes`: of each lane
 * @returns those that were free; none that is paused or locked, or that somebody holds
 */
export async function claimFreeLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  about: { owner: string; leaseMs: number; webhookIds: readonly number[] } & TakeSize,
): Promise<TakenLane[]> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + about.leaseMs);
  return readTakenLanes(ctx, await claimFreeLaneRows(ctx.db, { ...about, now, leaseEnd }));
}
