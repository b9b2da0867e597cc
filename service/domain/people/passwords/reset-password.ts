import type { Tx } from '../../../db/open.ts';
import type { Origin } from '../../actor.ts';
import { replacePassword } from '../store/people.ts';
import { deleteFactors } from '../store/second-factors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';

/**
 * Replaces the password of somebody who did not have to know it, and ends their sessions, but for
 * one that is kept. Each of their accounts' audit logs says so.
 */
export async function resetPassword(
  tx: Tx,
  about: {
    person: { id: string; name: string };
    passwordHash: string;
    keptSessionId?: string;
    /** Whether their second factors may be somebody else's. */
    removesFactors?: true;
    origin: Origin;
    now: Date;
  },
): Promise<void> {
  const { person, passwordHash, keptSessionId, removesFactors, origin, now } = about;
  const removed = removesFactors && (await deleteFactors(tx, person.id));
  const { endedSessions } = await replacePassword(tx, {
    personId: person.id,
    passwordHash,
    now,
    ...(keptSessionId !== undefined && { keptSessionId }),
  });
  await recordInAccounts(tx, {
    person,
    origin,
    action: 'person.password_changed',
    now,
    changes: {
      ended_sessions: endedSessions,
      ...(removed && (removed.app || removed.passkeys > 0) && { removed_second_factors: removed }),
    },
  });
}
