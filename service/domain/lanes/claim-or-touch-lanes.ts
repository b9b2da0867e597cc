import type { Context } from '../../context.ts';
import { claimOrTouchLaneRows } from './store/claim-or-touch-lane-rows.ts';
import type { TakeSize } from './take-deliveries.ts';
import { readTakenLanes } from './read-taken-lanes.ts';
import type { TakenLane } from './read-taken-lanes.ts';

/**
 * Leases lanes in which a delivery has just become due and takes their first deliveries. Lanes that
 * are not free are touched instead. All of it is one statement.
 *
 * @param options `room` and `bytes`: limits for each lane
 * @returns the leased lanes, and the webhooks whose lanes another session has locked and for which
 *   nothing was done
 */
export async function claimOrTouchLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  options: { owner: string; leaseMs: number; webhookIds: readonly number[] } & TakeSize,
): Promise<{ lanes: TakenLane[]; locked: number[] }> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + options.leaseMs);
  const { rows, handled } = await claimOrTouchLaneRows(ctx.db, { ...options, now, leaseEnd });
  const isHandled = new Set(handled);
  return {
    lanes: readTakenLanes(ctx, rows),
    locked: options.webhookIds.filter((id) => !isHandled.has(id)),
  };
}
