import type { Context } from '../context.ts';
import { subscribeToLanes } from '../domain/lanes/subscribe-to-lanes.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake, LaneNotification } from './intake.ts';
import type { Completions } from './completions.ts';

/** Makes a worker claim lanes when they are due, and check its own when they change. */
export function followLanes(
  ctx: Context,
  {
    lanes,
    intake,
    completions,
    isStopping,
  }: {
    lanes: ReadonlyMap<number, HeldLane>;
    intake: Intake;
    completions: Completions;
    isStopping: () => boolean;
  },
): void {
  const receive = (webhookId: number, notification: LaneNotification) => {
    if (isStopping()) return;
    intake.recordNotification(webhookId, notification);
    const lane = lanes.get(webhookId);
    if (lane) applyNotification(lane, { notification, intake, completions });
  };
  subscribeToLanes(ctx, {
    due: () => !isStopping() && intake.claim(),
    changed(webhookIds) {
      for (const id of webhookIds) receive(id, 'deliveries due');
    },
    webhookChanged: (id) => receive(id, 'webhook changed'),
  });
}

/**
 * Reads the deliveries that came due in a lane, or drops what was read if its webhook changed. The
 * completion beside it clears the mark of the lane, so that the next delivery is notified again. It
 * waits for the disk, and the deliveries do not wait for it.
 */
export function applyNotification(
  lane: HeldLane,
  {
    notification,
    intake,
    completions,
  }: { notification: LaneNotification; intake: Intake; completions: Completions },
): void {
  if (notification === 'webhook changed') {
    lane.readAgain();
  } else {
    lane.startOver();
    intake.refill(lane);
  }
  completions.renewOrRelease(lane);
}
