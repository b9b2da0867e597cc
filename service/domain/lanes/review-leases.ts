import type { Context } from '../../context.ts';
import type { AttemptName } from './settled-attempt.ts';
import { findWrittenAttempts } from './store/find-written-attempts.ts';
import { retakeLeases } from './store/retake-leases.ts';

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
