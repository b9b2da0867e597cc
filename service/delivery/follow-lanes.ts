import type { Context } from '../context.ts';
import { subscribeToLanes } from '../domain/lanes/subscribe-to-lanes.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake } from './intake.ts';
import type { Settler } from './settler.ts';

/**
 * Makes a worker claim lanes when they become due, and check the lanes it holds when they change.
 */
export function followLanes(
  ctx: Context,
  about: {
    lanes: ReadonlyMap<number, HeldLane>;
    intake: Intake;
    settler: Settler;
    isStopping: () => boolean;
  },
): void {
  const { lanes, intake, settler, isStopping } = about;
  subscribeToLanes(ctx, {
    due: () => !isStopping() && intake.claim(),
    changed(webhookIds) {
      if (isStopping()) return;
      for (const id of webhookIds) {
        const lane = lanes.get(id);
        if (lane) settler.look(lane);
      }
    },
    webhookChanged(id) {
      intake.noteChanged(id);
      const lane = lanes.get(id);
      if (!lane || isStopping()) return;
      lane.readAgain();
      settler.look(lane);
    },
  });
}
