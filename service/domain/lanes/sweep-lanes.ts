import type { Context } from '../../context.ts';
import { wakeForgottenLanes } from './store/wake-forgotten-lanes.ts';

/** A delivery due for less than this may have its touch still coming. */
const patienceMs = 2000;

/**
 * Finds deliveries that are due in lanes of which no worker was notified, because a process died
 * between the commit and the touch after it, and wakes those lanes.
 *
 * @returns how many deliveries and lanes there were; none unless something died
 */
export async function sweepLanes({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<{ deliveries: number; lanes: number }> {
  const now = clock.now();
  const dueBefore = new Date(now.getTime() - patienceMs);
  const repaired = await wakeForgottenLanes(db, { now, dueBefore });
  if (repaired.lanes > 0) log.warn(repaired, 'woke lanes with forgotten deliveries');
  return repaired;
}
