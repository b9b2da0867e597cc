import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { listMemberships } from '../store/members.ts';
import { replacePassword } from '../store/people.ts';

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
    origin: Origin;
    now: Date;
  },
): Promise<void> {
  const { person, passwordHash, keptSessionId, origin, now } = about;
  const { endedSessions } = await replacePassword(tx, {
    personId: person.id,
    passwordHash,
    now,
    ...(keptSessionId !== undefined && { keptSessionId }),
  });
  for (const { accountId } of await listMemberships(tx, person.id)) {
    await recordAudit(tx, {
      accountId: mintAccountId(accountId),
      by: { kind: 'person', id: person.id, name: person.name },
      origin,
      action: 'person.password_changed',
      at: now,
      target: { kind: 'person', id: person.id, name: person.name },
      changes: { ended_sessions: endedSessions },
    });
  }
}
