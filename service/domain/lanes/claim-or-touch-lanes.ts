import type { Context } from '../../context.ts';
import { claimOrTouchLaneRows } from './store/claim-or-touch-lane-rows.ts';
import type { TakeSize } from './take-deliveries.ts';
import { readTakenLanes } from './taken-delivery.ts';
import type { TakenLane } from './taken-delivery.ts';

/**
 * Leases lanes in which something has just come due and takes their first deliveries, in one
 * statement. Lanes that are not free are touched.
 *
 * @param about `room` and `bytes`: of each lane
 * @returns the lanes leased, and the webhooks whose lanes are locked by somebody: nothing was done
 *   for these
 */
export async function claimOrTouchLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  about: { owner: string; leaseMs: number; webhookIds: readonly number[] } & TakeSize,
): Promise<{ claimed: TakenLane[]; locked: number[] }> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + about.leaseMs);
  const { rows, done } = await claimOrTouchLaneRows(ctx.db, { ...about, now, leaseEnd });
  const isDone = new Set(done);
  return {
    claimed: readTakenLanes(ctx, rows),
    locked: about.webhookIds.filter((id) => !isDone.has(id)),
  };
}
