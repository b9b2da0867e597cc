import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { digestLinkToken, limitLinks } from '../links.ts';
import { makeResetLink } from '../passwords/password-reset.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import {
  deleteEmailChanges,
  findEmailChangeToRevoke,
  lockEmail,
  type EmailChangeRow,
} from '../store/email-changes.ts';
import {
  deletePassword,
  findPersonByEmail,
  findPersonById,
  lockPerson,
  updatePerson,
} from '../store/people.ts';
import { emailTakenError, invalidRevocationError } from './rules.ts';

/**
 * The change of email that a link undoes, and whether the change was confirmed. Does not use up the
 * link.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.revoke_token`; RATE_LIMIT_EXCEEDED
 */
export async function checkEmailRevocation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ change: EmailChangeRow; isChanged: boolean }> {
  await limitLinks(ctx, origin);
  const link = { digest: digestLinkToken(token), now: ctx.clock.now() };
  const change = await findEmailChangeToRevoke(ctx.db, link);
  const person = change && (await findPersonById(ctx.db, change.personId));
  if (!person) throw invalidRevocationError();
  return { change, isChanged: person.email !== change.oldEmail };
}

/**
 * Undoes a change of a person's email, whether it was confirmed, is pending or was cancelled.
 * Anyone who requested the change had a session and the password, so both are revoked: every
 * session ends, and nobody can sign in as this person until they choose a new password, for which
 * the response contains a token. Second factors stay.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.revoke_token`, also if the address is
 *   someone else's now; RATE_LIMIT_EXCEEDED
 */
export async function revokeEmailChange(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ email: string; resetToken: string }> {
  await limitLinks(ctx, origin);
  const digest = digestLinkToken(token);
  return await ctx.db.transaction(async (tx) => {
    const found = await findEmailChangeToRevoke(tx, { digest, now: ctx.clock.now() });
    const person = found && (await lockPerson(tx, found.personId));
    if (!person) throw invalidRevocationError();
    // So that the person who is added with this address in the meantime does not find it free.
    await lockEmail(tx, found.oldEmail);
    const now = ctx.clock.now();
    // Read again under lock, so that nobody else uses it at the same time.
    const change = await findEmailChangeToRevoke(tx, { digest, now });
    if (!change) throw invalidRevocationError();
    const { personId, oldEmail: email } = change;
    const { isUnverified } = person;
    const owner = await findPersonByEmail(tx, email);
    if (owner && owner.id !== personId) throw emailTakenError(email);
    const { endedSessions } = await deletePassword(tx, personId);
    await updatePerson(tx, personId, { email, isUnverified, updatedAt: now });
    await deleteEmailChanges(tx, personId);
    const { token: resetToken } = await makeResetLink(tx, { email, now });
    await recordInAccounts(tx, {
      person,
      origin,
      action: 'person.email_change_revoked',
      now,
      changes: {
        email,
        previous_email: person.email === email ? undefined : person.email,
        new_email: change.newEmail,
        ended_sessions: endedSessions,
      },
    });
    return { email, resetToken };
  });
}
