import type { Context } from '../../context.ts';
import { takeDueDeliveries } from './store/take-due-deliveries.ts';
import { readTakenLanes } from './read-taken-lanes.ts';
import type { TakenLane } from './read-taken-lanes.ts';

/** Where to continue in a lane: after the delivery taken last, or null for its beginning. */
export type TakeFrom = { dueAt: Date; eventId: number } | null;

/** How much is taken from one lane: at most so many deliveries, and bytes of bodies. */
export type TakeSize = { room: number; bytes: number };

/**
 * Takes more due deliveries of lanes that this owner holds. Lanes that it no longer holds, or that
 * are paused, are missing from the result.
 */
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
