import type { z } from 'zod';
import type { finishPasswordResetInput } from '#lib/contract/people/password-resets.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { digestLinkToken } from '../link-token.ts';
import { takePasswordReset } from '../store/password-resets.ts';
import { lockPersonByEmail } from '../store/people.ts';
import { findOpenPasswordReset, invalidResetError } from './find-open-password-reset.ts';
import { mailPasswordChange } from './mail-password-change.ts';
import { ownWordsOf, refuseWeakPassword } from './refuse-weak-password.ts';
import { resetPassword } from './reset-password.ts';

/**
 * Sets a new password with an emailed link, and uses the link up: of two concurrent calls, one
 * succeeds. Ends all sessions of the person, opens none, and leaves their second factors as they
 * are, because access to a mailbox alone must not be enough for somebody who has one. An unverified
 * person stays unverified: whoever created them may have added a factor, which only accepting an
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
  const own = await ownWordsOf(ctx.db, person);
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
