import type { z } from 'zod';
import type { signInInput } from '#lib/contract/dashboard.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { findKnownDevice } from './find-known-device.ts';
import { limitSignIn } from './limit-sign-in.ts';
import { openSession } from '../sessions/open-session.ts';
import type { NewSession } from '../sessions/open-session.ts';

/**
 * Signs a person in. Attempts are counted as `limitSignIn` says, so that passwords cannot be
 * guessed, and so that nobody is locked out of a device they use by guesses from elsewhere.
 *
 * @param about.deviceToken what an earlier sign-in left in the browser
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with one text for a wrong password
 *   and an unknown e-mail
 */
export async function signIn(
  ctx: Context,
  about: { input: z.output<typeof signInInput>; deviceToken: string | null; origin: Origin },
): Promise<NewSession> {
  const { input, deviceToken, origin } = about;
  const device = await findKnownDevice(ctx, { email: input.email, deviceToken });
  const attempt = await limitSignIn(ctx, { email: input.email, origin, device });
  const session = await openSession(ctx, { ...input, origin, device });
  if (!session) throw invalid('password', 'Wrong e-mail or password.');
  await attempt.giveBack();
  return session;
}
