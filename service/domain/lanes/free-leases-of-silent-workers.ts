import type { Context } from '../../context.ts';
import { freeLaneRowsOfSilentWorkers } from './store/free-lane-rows-of-silent-workers.ts';

/**
 * Frees the lanes of workers that are still silent, makes them due, and removes these workers.
 * Their deliveries in progress are sent again. If such a worker continues after all, it no longer
 * holds its leases, and its results change nothing. Lanes that somebody has locked are left for the
 * next time.
 *
 * A lease whose owner never recorded a heartbeat is left to expire.
 */
export async function freeLeasesOfSilentWorkers(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  options: { owners: readonly string[]; deadAfterMs: number },
): Promise<void> {
  const lanes = await freeLaneRowsOfSilentWorkers(db, { ...options, now: clock.now() });
  if (lanes > 0)
    log.warn({ owners: options.owners, lanes }, 'freed the webhooks of a worker that is gone');
}
