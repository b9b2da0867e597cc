import type { Context } from '../../context.ts';
import { wakeForgottenLanes } from './store/wake-forgotten-lanes.ts';

/** If a delivery became due less than this ago, its lane may still be about to be touched. */
const patienceMs = 2000;

/**
 * Finds due deliveries of which no worker was notified, because a process died between the commit
 * and the touch after it, and makes their lanes due.
 *
 * @returns how many deliveries and lanes there were; none unless a process died
 */
export async function sweepLanes({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<{ deliveries: number; lanes: number }> {
  const now = clock.now();
  const dueBefore = new Date(now.getTime() - patienceMs);
  const repaired = await wakeForgottenLanes(db, { now, dueBefore });
  if (repaired.lanes > 0)
    log.warn(repaired, 'found due deliveries of which no worker was notified');
  return repaired;
}
