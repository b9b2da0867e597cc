import type { z } from 'zod';
import type { signInInput } from '#lib/contract/people/sign-in.ts';
import type { PendingSignIn } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { isFactorIn } from '../second-factors/has-factor.ts';
import { openSession } from '../sessions/open-session.ts';
import type { NewSession } from '../sessions/open-session.ts';
import { findCredentialByEmail } from '../store/people.ts';
import { countFactors } from '../store/second-factors.ts';
import { findKnownDevice } from './find-known-device.ts';
import { limitSignIn } from './limit-sign-in.ts';
import { startPendingSignIn } from './pending-sign-in.ts';
import { mailNewDevice } from './mail-new-device.ts';

/** Signed in, or asked for a second factor first. */
export type SignInOutcome =
  | { kind: 'signed_in'; session: NewSession }
  | { kind: 'pending'; pending: PendingSignIn };

/**
 * Signs a person in. A person with a second factor is asked for it first. Attempts are counted as
 * `limitSignIn` describes: passwords cannot be guessed, and guesses from elsewhere lock nobody out
 * of a device they use.
 *
 * @param options.deviceToken what an earlier sign-in stored in the browser
 * @param options.earlierSession the token of the session that the browser has
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with the same text for a wrong
 *   password and an unknown email
 */
export async function signIn(
  ctx: Context,
  {
    input,
    deviceToken,
    earlierSession,
    origin,
  }: {
    input: z.output<typeof signInInput>;
    deviceToken: string | null;
    earlierSession?: string | undefined;
    origin: Origin;
  },
): Promise<SignInOutcome> {
  const { email } = input;
  const device = await findKnownDevice(ctx, { email, deviceToken });
  const attempt = await limitSignIn(ctx, { email, origin, device });
  // Read before the password is checked, so that a password that is replaced meanwhile opens no
  // session.
  const credential = await findCredentialByEmail(ctx.db, email);
  const personId = await ctx.auth.findByPassword({ ...input, isKnownDevice: device !== null });
  if (personId === null || credential?.personId !== personId) throw wrong();
  await attempt.giveBack();

  const factors = await countFactors(ctx.db, personId);
  if (isFactorIn(factors)) {
    const pending = await startPendingSignIn(ctx, { credential, factors });
    if (!pending) throw wrong();
    return { kind: 'pending', pending };
  }
  const proved = { factor: null, origin, device, earlierSession };
  const session = await openSession(ctx, { credential, ...proved });
  if (!session) throw wrong();
  if (!device) await mailNewDevice(ctx, { credential, origin });
  return { kind: 'signed_in', session };
}

function wrong() {
  return invalid('password', 'Wrong email or password.');
}
