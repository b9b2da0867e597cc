import type { Context } from '../../context.ts';
import type { AttemptName } from './settled-attempt.ts';
import { findWrittenAttempts } from './store/find-written-attempts.ts';
import { retakeLeases } from './store/retake-leases.ts';

/**
 * Finds out where an owner stands after statements of it failed, which may have been carried out
 * all the same. Every lane that it knows to be its own is leased anew, under a new number: of an
 * earlier statement that is still under way nothing will count any more. Lanes that it holds
 * without knowing, since the answer to its claim was lost, become free and due.
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
