import type { Tx } from '../../../db/open.ts';
import type { Origin } from '../../actor.ts';
import { replacePassword } from '../store/people.ts';
import { deleteFactors } from '../store/second-factors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';

/**
 * Replaces a person's password without the old one, and ends their sessions, except for one that is
 * kept. The audit log of each of their accounts records it.
 */
export async function resetPassword(
  tx: Tx,
  {
    person,
    passwordHash,
    keptSessionId,
    removesFactors,
    origin,
    now,
  }: {
    person: { id: string; name: string };
    passwordHash: string;
    keptSessionId?: string;
    /** Whether to remove their second factors, because they may be somebody else's. */
    removesFactors?: true;
    origin: Origin;
    now: Date;
  },
): Promise<void> {
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
