import type { Context } from '../context.ts';
import { notifyOfDueLanes } from '../domain/lanes/subscribe-to-lanes.ts';
import type { DeliveryDispatcher } from './delivery-dispatcher.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake } from './intake.ts';
import type { PacedJob } from './paced-job.ts';
import type { WorkerHeartbeat } from './worker-heartbeat.ts';
import type { Recovery } from './recovery.ts';
import type { Completions } from './completions.ts';

/** Waits until attempts in progress have ended and are completed, and releases all lanes. */
export async function stopWorker(
  ctx: Context,
  parts: {
    lanes: ReadonlyMap<number, HeldLane>;
    completions: Completions;
    sweeper: PacedJob;
    intake: Intake;
    dispatcher: DeliveryDispatcher;
    recovery: Recovery;
    heartbeat: WorkerHeartbeat | null;
  },
): Promise<void> {
  const { lanes, completions, sweeper, intake, dispatcher, recovery, heartbeat } = parts;
  for (const lane of lanes.values()) {
    lane.end();
    // Releases lanes without attempts in progress now, so that other workers need not wait for the
    // rest.
    completions.renewOrRelease(lane);
  }
  await Promise.all([sweeper.stop(), intake.stop()]);
  await dispatcher.stop();
  try {
    await recovery.stop();
    await completions.finish();
    await heartbeat?.leave();
    // Otherwise other workers would notice due deliveries only at their next poll.
    if (heartbeat) await notifyOfDueLanes(ctx);
  } finally {
    // Other workers free the lanes that could not be released, once this worker's heartbeats stop.
    await heartbeat?.stop();
  }
}
