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
    if (lane) heedNews(lane, { news, settler });
  };
  subscribeToLanes(ctx, {
    due: () => !isStopping() && intake.claim(),
    changed(webhookIds) {
      for (const id of webhookIds) pass(id, 'deliveries due');
    },
    webhookChanged: (id) => pass(id, 'webhook changed'),
  });
}

/** Checks a lane of which there is news, and reads it again if its webhook changed. */
export function heedNews(
  lane: HeldLane,
  { news, settler }: { news: LaneNews; settler: Settler },
): void {
  if (news === 'webhook changed') lane.readAgain();
  settler.look(lane);
}
