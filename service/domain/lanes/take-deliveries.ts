import type { Context } from '../../context.ts';
import { takeDueDeliveries } from './store/take-due-deliveries.ts';
import { readTakenLanes } from './taken-delivery.ts';
import type { TakenLane } from './taken-delivery.ts';

/** Where in a lane to go on taking: after the delivery taken last, or from its beginning. */
export type TakeFrom = { dueAt: Date; eventId: number } | null;

/** How much of one lane is taken: so many deliveries, and bytes of bodies, at most. */
export type TakeSize = { room: number; bytes: number };

/**
 * Takes more due deliveries of lanes this owner holds. A lane that it no longer holds, or that is
 * paused, is missing from the answer.
 */
export async function takeDeliveries(
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>,
  about: {
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
  const { owner, lanes } = about;
  return readTakenLanes(
    ctx,
    await takeDueDeliveries(ctx.db, { owner, lanes, now: ctx.clock.now() }),
  );
}
