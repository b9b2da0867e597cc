import {
  emailConfirmationHours,
  emailRevocationDays,
  type EmailChange,
} from '#lib/contract/people/email-changes.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime, formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid, ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { digestLinkToken, isMailSent, newLinkToken } from '../links.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession, currentSessionId } from '../sessions/find-session.ts';
import {
  cancelEmailChanges,
  findPendingEmailChange,
  findRevocableEmailChange,
  insertEmailChange,
  isEmailTaken,
} from '../store/email-changes.ts';
import { lockPerson } from '../store/people.ts';
import { mailConfirmation, mailRevocation, mailAddressInUse } from './mail-email-change.ts';

/** The actor's pending change of email, and a recent change that can still be undone. */
export async function getEmailChange(ctx: Context, actor: PersonActor): Promise<EmailChange> {
  return await describeEmailChange(ctx.db, { personId: actor.personId, now: ctx.clock.now() });
}

/**
 * Requests a change of the actor's email. Nothing changes until the new address confirms it. The
 * present address can undo the change until 7 days after it, and nothing the actor does can prevent
 * that, because the actor may be someone who stole a session and the password. Therefore the email
 * cannot be changed again in that time.
 *
 * If the new address already belongs to someone, the response and the work before it are the same;
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
    if (email === person.email) throw invalid('email', 'This is already your email address.');
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
  if (isTaken) mailAddressInUse(ctx, about);
  else mailConfirmation(ctx, { ...about, token: confirmToken, confirmableUntil });
  return change;
}

/**
 * Cancels the actor's change of email that waits to be confirmed, if there is one. The link to undo
 * it, which was emailed to the present address, still works: anyone who requested the change has a
 * session and the password, and may have stolen them.
 *
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function cancelEmailChange(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    const pending = await findPendingEmailChange(tx, { personId, now });
    if (!person || !pending) return;
    await cancelEmailChanges(tx, personId);
    await recordInAccounts(tx, {
      person,
      origin,
      action: 'person.email_change_cancelled',
      now,
      changes: { new_email: pending.newEmail },
    });
  });
}

/** What a person sees of a change of their email: never a link. */
async function describeEmailChange(
  db: Db | Tx,
  options: { personId: string; now: Date },
): Promise<EmailChange> {
  const pending = await findPendingEmailChange(db, options);
  const done = await findRevocableEmailChange(db, options);
  return {
    pending: pending && {
      email: pending.newEmail,
      expires_at: formatApiTime(pending.confirmableUntil),
      is_mailed: pending.isMailed,
    },
    fixed_until: done && formatApiTime(done.revocableUntil),
  };
}
