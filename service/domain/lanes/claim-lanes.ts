import type { Context } from '../../context.ts';
import { readTakenLanes, type TakenLane } from './read-taken-lanes.ts';
import { claimDueLanes, claimOrWakeLaneRows } from './store/claim-lanes.ts';
import { takeDueDeliveries } from './store/take-deliveries.ts';

/**
 * Leases due lanes and takes their first deliveries, in one statement. Skips lanes that another
 * session has locked.
 *
 * @param options `maxDeliveries` and `bytes`: limits for each lane; `limit`: how many lanes;
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

/**
 * Leases lanes in which a delivery has just become due and takes their first deliveries. Lanes that
 * are not free are woken instead. All of it is one statement.
 *
 * @param options `maxDeliveries` and `bytes`: limits for each lane
 * @returns the leased lanes, and the webhooks whose lanes another session has locked and for which
 *   nothing was done
 */
export async function claimOrWakeLanes(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  options: { owner: string; leaseMs: number; webhookIds: readonly number[] } & TakeSize,
): Promise<{ lanes: TakenLane[]; locked: number[] }> {
  const now = ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + options.leaseMs);
  const { rows, handled } = await claimOrWakeLaneRows(ctx.db, { ...options, now, leaseEnd });
  const isHandled = new Set(handled);
  return {
    lanes: readTakenLanes(ctx, rows),
    locked: options.webhookIds.filter((id) => !isHandled.has(id)),
  };
}

/** Where to continue in a lane: after the delivery taken last, or null for its beginning. */
export type TakeFrom = { dueAt: Date; eventId: number } | null;

/** How much is taken from one lane: at most so many deliveries, and bytes of bodies. */
type TakeSize = { maxDeliveries: number; bytes: number };

/** Takes more due deliveries of lanes, except of those this owner lost or that are paused. */
export async function takeDeliveries(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  {
    owner,
    lanes,
  }: {
    owner: string;
    /** `heldIds`: events of deliveries to leave out. */
    lanes: readonly ({
      webhookId: number;
      lease: number;
      after: TakeFrom;
      heldIds: readonly number[];
    } & TakeSize)[];
  },
): Promise<TakenLane[]> {
  return readTakenLanes(
    ctx,
    await takeDueDeliveries(ctx.db, { owner, lanes, now: ctx.clock.now() }),
  );
}
