import { formatExact } from '#lib/time.ts';
import { newPassword } from '../../passwords/set-password.ts';
import { recordInAccounts } from '../../record-in-accounts.ts';
import { deletePendingSignIns } from '../../store/pending-sign-ins.ts';
import { findPersonByEmail, replacePassword } from '../../store/people.ts';
import { deleteFactors, lockFactors, type FactorCounts } from '../../store/second-factors.ts';
import { deleteSessions } from '../../store/sessions.ts';
import { operator, type OperatorContext } from './operator.ts';

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
    const { endedSessions } = await replacePassword(tx, { personId: person.id, passwordHash });
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

/** Removes a person's second factors and sessions, not the password. Null: no such email. */
export async function resetFactors(
  ctx: OperatorContext,
  email: string,
): Promise<(Pick<FactorCounts, 'app' | 'passkeys'> & { endedSessions: number }) | null> {
  return await ctx.db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) return null;
    await lockFactors(tx, person.id);
    const removed = await deleteFactors(tx, person.id);
    await deletePendingSignIns(tx, person.id);
    const endedSessions = await deleteSessions(tx, { personId: person.id });
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.second_factors_reset',
      now: ctx.clock.now(),
      changes: { ...removed, ended_sessions: endedSessions },
    });
    return { ...removed, endedSessions };
  });
}

type Mailing = Pick<OperatorContext, 'mail' | 'clock'> & {
  config: Pick<OperatorContext['config'], 'publicUrl'>;
};

/** Emails a person that an operator replaced their password. Call it after the commit. */
export function mailAccessReset(
  ctx: Mailing,
  { email, isVerified }: { email: string; isVerified?: true },
): void {
  const { publicUrl } = ctx.config;
  const when = formatExact(ctx.clock.now(), 'UTC');
  ctx.mail.send({
    kind: 'password.reset_by_operator',
    to: email,
    subject: 'Your password was reset',
    paragraphs: [
      `An administrator of ${publicUrl.host} replaced the password of ${email} on ${when} and signed you out everywhere. Ask them for the new password, then change it after you sign in.`,
      ...(isVerified
        ? [
            'Until then, nobody had verified that this address is yours, so second factors were removed as well.',
          ]
        : []),
      'If you did not expect this, ask your administrator why. You can also choose a new password yourself.',
    ],
    action: { label: 'Choose a new password', url: `${publicUrl.origin}/forgot-password` },
  });
}

/** Emails a person that an operator removed their second factors. Call it after the commit. */
export function mailFactorsReset(ctx: Mailing, { email }: { email: string }): void {
  const { publicUrl } = ctx.config;
  const when = formatExact(ctx.clock.now(), 'UTC');
  ctx.mail.send({
    kind: 'second_factor.reset_by_operator',
    to: email,
    subject: 'Your second factors were removed',
    paragraphs: [
      `An administrator of ${publicUrl.host} removed all second factors of ${email} on ${when} and signed you out everywhere. You now sign in with your password alone.`,
      'To add a second factor again, sign in and open Security.',
    ],
    action: { label: 'Open Security', url: `${publicUrl.origin}/settings/security` },
    closing: [
      'If you did not ask for this, change your password now and ask your administrator why.',
    ],
  });
}
