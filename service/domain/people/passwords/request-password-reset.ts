import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { subscriberOf } from '../../../network/networks.ts';
import type { Origin } from '../../actor.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { emailLimitKey } from '../email-limit-key.ts';
import { isMailSent } from '../is-mail-sent.ts';
import { findPersonByEmail } from '../store/people.ts';
import { makeResetLink } from './make-reset-link.ts';

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
      `Somebody asked to reset the password of ${email}. To choose a new one, open the link. It works once, until ${formatExact(expiresAt, 'UTC')}.`,
    ],
    action: {
      label: 'Choose a new password',
      url: `${ctx.config.publicUrl.origin}/reset-password#${token}`,
    },
    closing: ['If it was not you, do nothing: your password stays as it is.'],
  });
}
