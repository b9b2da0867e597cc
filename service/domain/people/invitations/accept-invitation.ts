import type { z } from 'zod';
import type { acceptInvitationInput } from '#lib/contract/people/invitations.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid, problemsOf } from '../../errors.ts';
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
 *   `details.name` or `details.password`; with `details.email` if they have to sign in instead
 */
export async function acceptInvitation(
  ctx: Context,
  {
    input,
    earlierSession,
    origin,
  }: {
    input: z.output<typeof acceptInvitationInput>;
    earlierSession?: string | undefined;
    origin: Origin;
  },
): Promise<NewSession> {
  const { invitation_token: token, name, password } = input;
  await limitLinks(ctx, origin);
  const offered = await checkAcceptance(ctx, token, input);
  const { email } = offered.record.invitation;
  // Last, so that only an attempt that would create a person shows that nobody has this address.
  if (offered.step === 'sign_in') throw signInInstead(email);
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
  const session = await openFirstSession(ctx, { email, earlierSession, origin });
  if (!session) throw new Error('who accepted an invitation could not be signed in');
  const sessionId = await currentSessionId(ctx, session.sessionToken);
  const { personId, accountId } = joined;
  await ctx.db.transaction(async (tx) => {
    await updateSession(tx, { personId, sessionId }, { chosenAccountId: accountId });
  });
  return session;
}

/**
 * What else is wrong with a body of which these fields are accepted, for one response.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function findAcceptanceProblems(
  ctx: Context,
  { input, origin }: { input: Partial<z.input<typeof acceptInvitationInput>>; origin: Origin },
): Promise<ErrorDetails> {
  const { invitation_token: token, ...given } = input;
  if (token === undefined) return {};
  await limitLinks(ctx, origin);
  return await problemsOf(() => checkAcceptance(ctx, token, given));
}

/**
 * The token first, so that nobody without one can make the service estimate or hash a password.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
async function checkAcceptance(
  ctx: Context,
  token: string,
  { name, password }: { name?: string | undefined; password?: string | undefined },
): Promise<Terms> {
  const offered = await findTerms(ctx.db, token, ctx.clock.now());
  const { invitation, accountName } = offered.record;
  if (password === undefined) return offered;
  const own = [invitation.email, accountName, ...(name === undefined ? [] : [name])];
  await refuseWeakPassword(password, { own, field: 'password' });
  return offered;
}

function signInInstead(email: string) {
  return invalid('email', `${email} has an account already. Sign in to accept this invitation.`);
}
