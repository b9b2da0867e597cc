import { newPassword } from './new-password.ts';
import { mailAccessReset } from '../members/operator/mail-operator-reset.ts';
import { operator } from '../members/operator/operator.ts';
import type { OperatorContext } from '../members/operator/operator.ts';
import { findPersonByEmail, replacePassword } from '../store/people.ts';
import { recordInAccounts } from '../record-in-accounts.ts';

/**
 * Gives a person a new password, ends all their sessions, and records that in the audit log of each
 * of their accounts. Only the result contains the password; the email to the person does not. Null
 * if nobody has this email.
 */
export async function resetAccess(
  ctx: OperatorContext,
  email: string,
): Promise<{ password: string; endedSessions: number } | null> {
  const password = newPassword();
  const passwordHash = await ctx.auth.hashPassword(password);
  const reset = await ctx.db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) return null;
    const now = ctx.clock.now();
    const { endedSessions } = await replacePassword(tx, {
      personId: person.id,
      passwordHash,
      now,
    });
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.access_reset',
      now,
      changes: { ended_sessions: endedSessions },
    });
    return { password, endedSessions };
  });
  if (reset) mailAccessReset(ctx, { email });
  return reset;
}
