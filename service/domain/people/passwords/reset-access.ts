import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { newPassword } from './new-password.ts';
import { operator } from '../members/operator.ts';
import type { OperatorContext } from '../members/operator.ts';
import { listMemberships } from '../store/members.ts';
import { findPersonByEmail, replacePassword } from '../store/people.ts';

/**
 * Gives a person a new password, ends all their sessions, and says so in the audit log of each of
 * their accounts. The password is in the answer and nowhere else. Null if nobody has this e-mail.
 */
export async function resetAccess(
  ctx: OperatorContext,
  email: string,
): Promise<{ password: string; endedSessions: number } | null> {
  const password = newPassword();
  const passwordHash = await ctx.auth.hashPassword(password);
  return await ctx.db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) return null;
    const now = ctx.clock.now();
    const { endedSessions } = await replacePassword(tx, {
      personId: person.id,
      passwordHash,
      now,
    });
    for (const { accountId } of await listMemberships(tx, person.id)) {
      await recordAudit(tx, {
        accountId: mintAccountId(accountId),
        by: operator,
        origin: null,
        action: 'person.access_reset',
        at: now,
        target: { kind: 'person', id: person.id, name: person.name },
        changes: { ended_sessions: endedSessions },
      });
    }
    return { password, endedSessions };
  });
}
