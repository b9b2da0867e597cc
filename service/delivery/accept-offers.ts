import type { HeldLane } from './held-lane.ts';
import type { Intake } from './intake.ts';

/**
 * Accepts newly queued deliveries of webhooks, so that their lanes need not be touched. A busy
 * worker accepts only those of lanes that it holds, and leaves the others to other workers.
 *
 * @returns the webhooks whose deliveries were not accepted
 */
export function acceptOffers(
  webhookIds: readonly number[],
  to: { intake: Intake; lanes: ReadonlyMap<number, HeldLane>; isBusy: boolean },
): number[] {
  const left: number[] = [];
  for (const id of webhookIds) {
    if (to.isBusy && !to.lanes.has(id)) left.push(id);
    else to.intake.offer(id);
  }
  return left;
}
