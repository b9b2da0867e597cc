import type { z } from 'zod';
import type { acceptInvitationInput } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { addPerson } from '../add-person.ts';
import { limitLinks } from '../limit-links.ts';
import { mailPasswordChange } from '../passwords/mail-password-change.ts';
import { refuseWeakPassword } from '../passwords/refuse-weak-password.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { openFirstSession } from '../sessions/open-first-session.ts';
import type { NewSession } from '../sessions/open-session.ts';
import { deleteUnmailedEmailChanges } from '../store/email-changes.ts';
import { markVerified } from '../store/people.ts';
import { updateSession } from '../store/sessions.ts';
import { resetPassword } from '../passwords/reset-password.ts';
import { findTerms } from './find-terms.ts';
import type { Terms } from './find-terms.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { joinWith, lockTerms } from './use-invitation.ts';

/**
 * Accepts an invitation with a new password, and signs the person in. They are either new, or an
 * unverified person, whom the emailed link verifies and whose sessions end. If they got this address
 * by a link that was not emailed, that change can no longer be undone.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details.invitation_token`,
 *   `details.name` or `details.password`
 */
export async function acceptInvitation(
  ctx: Context,
  { input, origin }: { input: z.output<typeof acceptInvitationInput>; origin: Origin },
): Promise<NewSession> {
  const { invitation_token: token, password } = input;
  await limitLinks(ctx, origin);
  // Before the password is hashed, so that nobody without a token can make the service do that
  // work.
  const offered = await findTerms(ctx.db, token, ctx.clock.now());
  const { email } = offered.record.invitation;
  const name = nameFor(offered, input.name);
  await refuseWeakPassword(password, { own: [email, name], field: 'password' });
  const passwordHash = await ctx.auth.hashPassword(password);

  const joined = await ctx.db.transaction(async (tx) => {
    const { record, person, step, now } = await lockTerms(tx, token, ctx.clock);
    if (step !== offered.step) throw signInInstead(email);
    const member = person ?? { id: crypto.randomUUID(), name, email };
    if (person) {
      await resetPassword(tx, { person, passwordHash, origin, removesFactors: true, now });
      // A link to undo such a change proves nothing about who reads the previous address. One that
      // was emailed stays, because it may be what the true owner of the person has left.
      await deleteUnmailedEmailChanges(tx, person.id);
      await markVerified(tx, person.id);
    } else {
      const isUnverified = !record.invitation.isMailed;
      await addPerson(tx, { ...member, passwordHash, now, isUnverified });
    }
    const { accountId, notices } = await joinWith(tx, record, {
      config: ctx.config,
      person: member,
      origin,
      now,
    });
    return { accountId, notices, personId: member.id };
  });

  sendNotices(ctx, joined.notices);
  if (offered.person) mailPasswordChange(ctx, { email, origin, now: ctx.clock.now() });
  const session = await openFirstSession(ctx, { email, origin });
  if (!session) throw new Error('who accepted an invitation could not be signed in');
  const sessionId = await currentSessionId(ctx, session.sessionToken);
  const { personId, accountId } = joined;
  await ctx.db.transaction(async (tx) => {
    await updateSession(tx, { personId, sessionId }, { chosenAccountId: accountId });
  });
  return session;
}

/** @throws ServiceError VALIDATION_ERROR */
function nameFor({ record, person, step }: Terms, given: string | undefined): string {
  if (step === 'sign_in') throw signInInstead(record.invitation.email);
  if (person) return person.name;
  if (given === undefined) throw invalid('name', 'Enter your name.');
  return given;
}

function signInInstead(email: string) {
  return invalid('invitation_token', `Sign in as ${email} to accept this invitation.`);
}
