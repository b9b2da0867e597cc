import type { z } from 'zod';
import {
  passwordResetMinutes,
  type finishPasswordResetInput,
} from '#lib/contract/people/password-resets.ts';
import { minuteMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { subscriberOf } from '../../../network/networks.ts';
import type { Origin } from '../../actor.ts';
import { invalid, type ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { digestLinkToken, emailLimitKey, isMailSent, limitLinks, newLinkToken } from '../links.ts';
import {
  findPasswordReset,
  replacePasswordReset,
  takePasswordReset,
} from '../store/password-resets.ts';
import { findPersonByEmail, lockPersonByEmail, type PersonRow } from '../store/people.ts';
import {
  mailPasswordChange,
  personalWordsOf,
  refuseWeakPassword,
  resetPassword,
} from './set-password.ts';

/**
 * Emails a link to choose a new password to the person with this email, if there is one. The link
 * works once, for 30 minutes, and replaces earlier links. The response and the work before it do
 * not depend on whether the person exists: a link is stored in either case, and the email is sent
 * after the response. For the same reason, no audit log records the request; it records only the
 * later reset.
 *
 * Further requests for the same email within an hour are answered in the same way, but replace no
 * link and send nothing: the links that were emailed keep working. They are counted for each network
 * first, so that nobody can use up the requests of a person from elsewhere alone.
 *
 * @returns whether emails reach people; if not, the operator finds the link in the outbox
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function requestPasswordReset(
  ctx: Context,
  { email, origin }: { email: string; origin: Origin },
): Promise<{ isMailed: boolean }> {
  const { ip } = origin;
  const address = subscriberOf(ip);
  const owner = emailLimitKey(email);
  await refuseOverLimit(ctx, [{ limit: 'password-reset-address', key: address, from: ip }]);
  const { allowed } = await ctx.limiter.consume([
    { limit: 'password-reset-email-address', key: `${owner} ${address}`, from: ip },
    { limit: 'password-reset-email', key: owner, from: ip },
  ]);
  if (!allowed) return { isMailed: isMailSent(ctx) };
  const { token, expiresAt } = await makeResetLink(ctx.db, { email, now: ctx.clock.now() });
  const person = await findPersonByEmail(ctx.db, email);
  if (person) mailResetLink(ctx, { email, token, expiresAt });
  return { isMailed: isMailSent(ctx) };
}

/** The token is in the fragment of the URL, which browsers do not send and so no server logs. */
export function mailResetLink(
  ctx: Pick<Context, 'mail' | 'config'>,
  { email, token, expiresAt }: { email: string; token: string; expiresAt: Date },
): void {
  ctx.mail.send({
    kind: 'password.reset_requested',
    to: email,
    subject: 'Choose a new password',
    paragraphs: [
      `Someone asked to reset the password of ${email}. To choose a new one, open the link. It works once, until ${formatExact(expiresAt, 'UTC')}.`,
    ],
    action: {
      label: 'Choose a new password',
      url: `${ctx.config.publicUrl.origin}/reset-password#${token}`,
    },
    closing: ['If it was not you, do nothing: your password stays as it is.'],
  });
}

/** Makes the token of a link to choose a new password, which replaces the previous link. */
export async function makeResetLink(
  db: Db | Tx,
  { email, now }: { email: string; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newLinkToken();
  const expiresAt = new Date(now.getTime() + passwordResetMinutes * minuteMs);
  const digest = digestLinkToken(token);
  await replacePasswordReset(db, { email, digest, createdAt: now, expiresAt });
  return { token, expiresAt };
}

/**
 * The person whose password a link resets, and until when. Does not use up the link.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.reset_token`; RATE_LIMIT_EXCEEDED
 */
export async function findOpenPasswordReset(
  ctx: Pick<Context, 'db' | 'clock' | 'limiter'>,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ person: PersonRow; expiresAt: Date }> {
  await limitLinks(ctx, origin);
  const reset = await findPasswordReset(ctx.db, digestLinkToken(token));
  if (!reset || reset.expiresAt <= ctx.clock.now()) throw invalidResetError();
  const person = await findPersonByEmail(ctx.db, reset.email);
  if (!person) throw invalidResetError();
  return { person, expiresAt: reset.expiresAt };
}

/** The same error for a wrong, used, replaced and expired token. */
export function invalidResetError(): ServiceError {
  return invalid('reset_token', 'This link is no longer valid. Ask for a new one.');
}

/**
 * Sets a new password with an emailed link, and uses the link up: of two concurrent calls, one
 * succeeds. Ends all sessions of the person, opens none, and leaves their second factors as they
 * are, because access to a mailbox alone must not be enough for someone who has one. An unverified
 * person stays unverified: anyone who created them may have added a factor, which only accepting an
 * invitation removes. The person gets an email.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.reset_token` for a link that is wrong, used,
 *   replaced or expired, with `details.new_password` for a password that is easy to guess;
 *   RATE_LIMIT_EXCEEDED
 */
export async function finishPasswordReset(
  ctx: Context,
  { input, origin }: { input: z.output<typeof finishPasswordResetInput>; origin: Origin },
): Promise<{ email: string }> {
  const { reset_token: token, new_password: chosen } = input;
  // Before the password is hashed, so that nobody without a link can make the service do that work.
  const { person } = await findOpenPasswordReset(ctx, { token, origin });
  const { email } = person;
  const own = await personalWordsOf(ctx.db, person);
  await refuseWeakPassword(chosen, { own, field: 'new_password' });
  const passwordHash = await ctx.auth.hashPassword(chosen);

  const now = await ctx.db.transaction(async (tx) => {
    // The person is locked first, as in every change of a password.
    const locked = await lockPersonByEmail(tx, email);
    if (locked?.id !== person.id) throw invalidResetError();
    const usedAt = ctx.clock.now();
    if (!(await takePasswordReset(tx, { digest: digestLinkToken(token), now: usedAt })))
      throw invalidResetError();
    await resetPassword(tx, { person: locked, passwordHash, origin, now: usedAt });
    return usedAt;
  });
  mailPasswordChange(ctx, { email, origin, now });
  return { email };
}
