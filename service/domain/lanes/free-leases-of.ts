import type { Context } from '../../context.ts';
import { freeLeasesOfSilent } from './store/free-leases-of-silent.ts';

/**
 * Makes due what workers hold that are still silent, and forgets these workers. What they had under
 * way is sent again; should one of them go on after all, its leases are no longer its own and its
 * results move nothing. Lanes that somebody has locked are left for the next time.
 *
 * A lease whose owner never recorded a heartbeat, such as one of an older version, is left to
 * expire.
 */
export async function freeLeasesOf(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  about: { owners: readonly string[]; deadAfterMs: number },
): Promise<void> {
  const lanes = await freeLeasesOfSilent(db, { ...about, now: clock.now() });
  if (lanes > 0) log.warn({ ...about, lanes }, 'freed the webhooks of a worker that is gone');
}
