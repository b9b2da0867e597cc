import type { Context } from '../context.ts';
import { subscribeToLanes } from '../domain/lanes/subscribe-to-lanes.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake, LaneNews } from './intake.ts';
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
  const pass = (webhookId: number, news: LaneNews) => {
    if (isStopping()) return;
    intake.noteNews(webhookId, news);
    const lane = lanes.get(webhookId);
    if (lane) heedNews(lane, { news, intake, settler });
  };
  subscribeToLanes(ctx, {
    due: () => !isStopping() && intake.claim(),
    changed(webhookIds) {
      for (const id of webhookIds) pass(id, 'deliveries due');
    },
    webhookChanged: (id) => pass(id, 'webhook changed'),
  });
}

/**
 * Reads the deliveries that came due in a lane, or drops what was read if its webhook changed. The
 * settlement beside it clears the mark of the lane, so that the next delivery is notified again. It
 * waits for the disk, and the deliveries do not wait for it.
 */
export function heedNews(
  lane: HeldLane,
  { news, intake, settler }: { news: LaneNews; intake: Intake; settler: Settler },
): void {
  if (news === 'webhook changed') {
    lane.readAgain();
  } else {
    lane.startOver();
    intake.refill(lane);
  }
  settler.look(lane);
}
