import type { z } from 'zod';
import type { joinAccountInput } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { SignedInPerson } from '../../actor.ts';
import { forbidden, invalid } from '../../errors.ts';
import { mailPasswordChange } from '../passwords/mail-password-change.ts';
import { ownWordsOf, refuseWeakPassword } from '../passwords/refuse-weak-password.ts';
import { resetPassword } from '../passwords/reset-password.ts';
import { confirmSession } from '../sessions/confirm-session.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { updateSession } from '../store/sessions.ts';
import { findTerms, needsNewPassword } from './find-terms.ts';
import type { Terms } from './find-terms.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { joinWith, lockTerms } from './use-invitation.ts';

/**
 * Accepts an invitation as the signed-in person; their session then opens with that account. An
 * unverified person must choose a new password, which ends their other sessions: whoever opened
 * those may know the old password.
 *
 * @throws ServiceError FORBIDDEN if the invitation is for another email; VALIDATION_ERROR with
 *   `details.invitation_token` or `details.new_password`; UNAUTHORIZED if the session ended in the
 *   meantime
 */
export async function joinAccount(
  ctx: Context,
  actor: SignedInPerson,
  { input, sessionToken }: { input: z.output<typeof joinAccountInput>; sessionToken: string },
): Promise<{ id: AccountId; name: string }> {
  const { invitation_token: token, new_password: chosen } = input;
  const { personId, origin } = actor;
  const offered = await findTerms(ctx.db, token, ctx.clock.now());
  refuseOthers(offered, actor);
  const sessionId = await currentSessionId(ctx, sessionToken);
  let passwordHash: string | null = null;
  if (needsNewPassword(offered.person)) {
    if (chosen === undefined) throw passwordMissing();
    const person = { id: personId, email: actor.email, name: actor.personName };
    const own = [...(await ownWordsOf(ctx.db, person)), offered.record.accountName];
    await refuseWeakPassword(chosen, { own, field: 'new_password' });
    passwordHash = await ctx.auth.hashPassword(chosen);
  }

  const joined = await ctx.db.transaction(async (tx) => {
    const { now, ...terms } = await lockTerms(tx, token, ctx.clock);
    refuseOthers(terms, actor);
    await confirmSession(tx, { personId, sessionId });
    if (passwordHash === null && needsNewPassword(terms.person)) throw passwordMissing();
    const person = { id: personId, name: actor.personName };
    if (passwordHash !== null) {
      await resetPassword(tx, {
        person,
        passwordHash,
        keptSessionId: sessionId,
        origin,
        removesFactors: true,
        now,
      });
    }
    const { accountId, notices } = await joinWith(tx, terms.record, {
      config: ctx.config,
      person,
      origin,
      now,
    });
    await updateSession(tx, { personId, sessionId }, { chosenAccountId: accountId });
    return { account: { id: accountId, name: terms.record.accountName }, notices, now };
  });
  sendNotices(ctx, joined.notices);
  if (passwordHash !== null)
    mailPasswordChange(ctx, { email: actor.email, origin, now: joined.now });
  return joined.account;
}

function passwordMissing() {
  return invalid('new_password', 'Choose a new password to join.');
}

function refuseOthers({ record, person, step }: Terms, actor: SignedInPerson): void {
  const { email } = record.invitation;
  if (person?.id !== actor.personId) {
    throw forbidden(`This invitation is for ${email}. Sign in as that person to accept it.`);
  }
  if (step === 'set_password') {
    throw invalid('invitation_token', 'Sign out, then open the link again to choose a password.');
  }
}
