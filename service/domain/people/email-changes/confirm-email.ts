import { emailRevocationDays } from '#lib/contract/people/email-changes.ts';
import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { digestLinkToken, limitLinks } from '../links.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import {
  confirmEmailChange,
  findEmailChangeToConfirm,
  isEmailTaken,
  lockEmail,
} from '../store/email-changes.ts';
import { deletePasswordReset } from '../store/password-resets.ts';
import { findPersonById, lockPerson, updatePerson } from '../store/people.ts';
import { mailChanged } from './mail-email-change.ts';
import { invalidConfirmationError } from './rules.ts';

/**
 * The new address that a link confirms, and until when. Does not use up the link.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.confirm_token`; RATE_LIMIT_EXCEEDED
 */
export async function checkEmailConfirmation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ email: string; name: string; expiresAt: Date }> {
  await limitLinks(ctx, origin);
  const link = { digest: digestLinkToken(token), now: ctx.clock.now() };
  const change = await findEmailChangeToConfirm(ctx.db, link);
  const person = change && (await findPersonById(ctx.db, change.personId));
  if (!person) throw invalidConfirmationError();
  return { email: change.newEmail, name: person.name, expiresAt: change.confirmableUntil };
}

/**
 * Confirms a new address, which becomes the person's email; their sessions continue. The previous
 * address can undo the change for 7 days, and nobody else can take that address in that time. If
 * the link was not emailed, the person is unverified from then on: nobody knows whether the new
 * address is theirs.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.confirm_token`, also if the address has
 *   become someone else's in the meantime; RATE_LIMIT_EXCEEDED
 */
export async function confirmEmail(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ email: string }> {
  await limitLinks(ctx, origin);
  const digest = digestLinkToken(token);
  const changed = await ctx.db.transaction(async (tx) => {
    const found = await findEmailChangeToConfirm(tx, { digest, now: ctx.clock.now() });
    const person = found && (await lockPerson(tx, found.personId));
    if (!person) throw invalidConfirmationError();
    await lockEmail(tx, found.newEmail);
    const now = ctx.clock.now();
    // Read again under lock, so that nobody else uses or cancels it at the same time.
    const change = await findEmailChangeToConfirm(tx, { digest, now });
    if (!change || change.oldEmail !== person.email) throw invalidConfirmationError();
    const { personId, oldEmail, newEmail: email } = change;
    const revocableUntil = new Date(now.getTime() + emailRevocationDays * dayMs);
    if (await isEmailTaken(tx, { email, now })) {
      throw invalid('confirm_token', 'This address now belongs to another person.');
    }
    const isUnverified = person.isUnverified || !change.isMailed;
    await updatePerson(tx, personId, { email, isUnverified, updatedAt: now });
    await confirmEmailChange(tx, change, { now, revocableUntil });
    for (const mailbox of [person.email, email]) await deletePasswordReset(tx, mailbox);
    await recordInAccounts(tx, {
      person,
      origin,
      action: 'person.email_changed',
      now,
      changes: { email, previous_email: person.email },
    });
    return { oldEmail, newEmail: email, now, revocableUntil };
  });
  mailChanged(ctx, changed);
  return { email: changed.newEmail };
}
