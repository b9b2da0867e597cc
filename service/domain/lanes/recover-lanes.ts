import type { Context } from '../../context.ts';
import type { AttemptName } from './completed-attempt.ts';
import {
  findWrittenAttempts,
  freeLaneRowsOfSilentWorkers,
  retakeLeases,
  wakeForgottenLanes,
} from './store/leases.ts';

/**
 * Brings an owner's leases into a known state after some of its statements failed, because the
 * database may have executed them nevertheless. Every lane that the owner knows it holds gets a new
 * lease number, so that an earlier statement that is still running changes nothing. Lanes that it
 * holds without knowing, because the result of its claim was lost, become free and due.
 *
 * @returns the new lease of each lane that it still holds, and those of the attempts that are
 *   already stored
 */
export async function reviewLeases(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  options: {
    owner: string;
    leaseMs: number;
    known: readonly number[];
    attempts: readonly AttemptName[];
  },
): Promise<{ leases: Map<number, number>; written: AttemptName[] }> {
  const now = clock.now();
  const leaseEnd = new Date(now.getTime() + options.leaseMs);
  const leases = await retakeLeases(db, { ...options, now, leaseEnd });
  // A separate statement, so that it sees the changes for which the first one had to wait.
  const written = await findWrittenAttempts(db, options.attempts);
  return { leases, written };
}

/**
 * Frees the lanes of workers that are still silent, makes them due, and removes these workers.
 * Their deliveries in progress are sent again. If such a worker continues after all, it no longer
 * holds its leases, and its results change nothing. Lanes that someone has locked are left for the
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

/** If a delivery became due less than this ago, its lane may still be about to be woken. */
const patienceMs = 2000;

/**
 * Finds due deliveries of which no worker was notified, because a process died between the commit
 * and the wake-up after it, and makes their lanes due.
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
