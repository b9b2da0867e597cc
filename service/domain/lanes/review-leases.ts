import type { Context } from '../../context.ts';
import type { AttemptName } from './settled-attempt.ts';
import { findWrittenAttempts } from './store/find-written-attempts.ts';
import { retakeLeases } from './store/retake-leases.ts';

/**
 * Brings an owner's leases into a known state after some of its statements failed: the database may
 * have carried them out all the same. Every lane that the owner knows it holds gets a new lease
 * number, so that an earlier statement that is still running changes nothing. Lanes that it holds
 * without knowing, because the answer to its claim was lost, become free and due.
 *
 * @returns the new lease of each lane that is still its own, and which of the attempts are written
 *   down already
 */
export async function reviewLeases(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  about: {
    owner: string;
    leaseMs: number;
    known: readonly number[];
    attempts: readonly AttemptName[];
  },
): Promise<{ leases: Map<number, number>; written: AttemptName[] }> {
  const now = clock.now();
  const leaseEnd = new Date(now.getTime() + about.leaseMs);
  const leases = await retakeLeases(db, { ...about, now, leaseEnd });
  // In a statement of its own: it sees what the one before had to wait for.
  const written = await findWrittenAttempts(db, about.attempts);
  return { leases, written };
}
