import type { EmailChange } from '#lib/contract/people/email-changes.ts';
import { emailConfirmationHours, emailRevocationDays } from '#lib/contract/people/email-changes.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError, invalid } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { isMailSent } from '../is-mail-sent.ts';
import { digestLinkToken, newLinkToken } from '../link-token.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import {
  cancelEmailChanges,
  findRevocableEmailChange,
  insertEmailChange,
  isEmailTaken,
} from '../store/email-changes.ts';
import { confirmSession } from '../sessions/confirm-session.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { lockPerson } from '../store/people.ts';
import { describeEmailChange } from './describe-email-change.ts';
import { mailConfirmation, mailRevocation, mailTaken } from './mail-email-change.ts';

/**
 * Requests a change of the actor's email. Nothing changes until the new address confirms it. The
 * present address can undo the change until 7 days after it, and nothing the actor does can prevent
 * that, because the actor may be somebody who stole a session and the password. Therefore the email
 * cannot be changed again in that time.
 *
 * If the new address already belongs to somebody, the response and the work before it are the same;
 * the email to that address then says so, and contains no link.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.email` for the address they already have, and
 *   within 7 days of a change; RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the person is gone or the
 *   session ended
 */
export async function requestEmailChange(
  ctx: Context,
  actor: PersonActor,
  { email, sessionToken }: { email: string; sessionToken: string },
): Promise<EmailChange> {
  const { personId, origin } = actor;
  await refuseOverLimit(ctx, [{ limit: 'email-change', key: personId }]);
  const sessionId = await currentSessionId(ctx, sessionToken);
  const [confirmToken, revokeToken] = [newLinkToken(), newLinkToken()];

  const asked = await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person) throw new ServiceError('UNAUTHORIZED');
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    const confirmableUntil = new Date(now.getTime() + emailConfirmationHours * hourMs);
    if (email === person.email) throw invalid('email', 'This is your email address already.');
    const done = await findRevocableEmailChange(tx, { personId, now });
    if (done) {
      throw invalid(
        'email',
        `You changed your email address recently. Until ${formatExact(done.revocableUntil, 'UTC')}, your previous address can undo this with the link that was emailed to it, and you cannot change it again.`,
      );
    }
    const isTaken = await isEmailTaken(tx, { email, now });
    await cancelEmailChanges(tx, personId);
    await insertEmailChange(tx, {
      personId,
      oldEmail: person.email,
      newEmail: email,
      confirmDigest: digestLinkToken(confirmToken),
      revokeDigest: digestLinkToken(revokeToken),
      isMailed: isMailSent(ctx),
      createdAt: now,
      confirmableUntil,
      revocableUntil: new Date(now.getTime() + emailRevocationDays * dayMs),
    });
    await recordInAccounts(tx, {
      person,
      origin,
      action: 'person.email_change_requested',
      now,
      changes: { email: person.email, new_email: email },
    });
    const change = await describeEmailChange(tx, { personId, now });
    return { person, isTaken, confirmableUntil, change };
  });

  const { person, isTaken, confirmableUntil, change } = asked;
  const about = { name: person.name, oldEmail: person.email, newEmail: email };
  mailRevocation(ctx, { ...about, token: revokeToken });
  if (isTaken) mailTaken(ctx, about);
  else mailConfirmation(ctx, { ...about, token: confirmToken, confirmableUntil });
  return change;
}
