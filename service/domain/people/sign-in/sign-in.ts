import type { z } from 'zod';
import type { PendingSignIn } from '#lib/contract/people/second-factors.ts';
import type { signInInput } from '#lib/contract/people/sign-in.ts';
import type { Context } from '../../../context.ts';
import { findCredentialById } from '../../../db/stored-credential.ts';
import type { Origin } from '../../actor.ts';
import { invalid, ServiceError } from '../../errors.ts';
import { emailLimitKey } from '../links.ts';
import { consumeFactor, type GivenFactor } from '../second-factors/consume-factor.ts';
import { mailRecoveryCodeUse } from '../second-factors/mail-factor-change.ts';
import { isFactorIn } from '../second-factors/required-factor.ts';
import { openSession, type NewSession } from '../sessions/open-session.ts';
import { countFailure, deletePendingSignIn } from '../store/pending-sign-ins.ts';
import { countFactors } from '../store/second-factors.ts';
import type { FailedSignInReason } from './failed-sign-ins.ts';
import { findKnownDevice, mailNewDevice } from './known-device.ts';
import { limitSignIn } from './limit-sign-in.ts';
import {
  endedSignInError,
  purposeOfSignIn,
  readPendingSignIn,
  startPendingSignIn,
} from './pending-sign-in.ts';

/** Signed in, or asked for a second factor first. */
type SignInOutcome =
  | { kind: 'signed_in'; session: NewSession }
  | { kind: 'pending'; pending: PendingSignIn };

/**
 * Signs a person in. A person with a second factor is asked for it first. Attempts are counted as
 * `limitSignIn` describes: passwords cannot be guessed, and guesses from elsewhere lock nobody out
 * of a device they use. Failed ones are recorded later (`FailedSignIns`), so that neither the
 * response nor its time shows whether the email is known.
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
  const recordFailure = (reason: FailedSignInReason) =>
    ctx.failedSignIns.record({ email: emailLimitKey(email), reason, origin });
  const device = await findKnownDevice(ctx, { email, deviceToken });
  const attempt = await limitSignIn(ctx, { email, origin, device }).catch((error: unknown) => {
    recordFailure('refused_by_limits');
    throw error;
  });
  // The hash in it was read before it was checked, so a password that is replaced in the meantime
  // opens no session.
  const credential = await ctx.auth.findByPassword({ ...input, isKnownDevice: device !== null });
  if (!credential) {
    recordFailure('wrong_passwords');
    throw wrong();
  }
  await attempt.giveBack();

  const factors = await countFactors(ctx.db, credential.personId);
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

/** Wrong second factors that end a sign-in; then the password has to be given again. */
const maxFailures = 5;

/**
 * Signs in a person who already gave their password, with their second factor.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.pending_token` if the sign-in has ended, or
 *   with the details of `consumeFactor`; RATE_LIMIT_EXCEEDED
 */
export async function finishSignIn(
  ctx: Context,
  {
    token,
    given,
    deviceToken,
    earlierSession,
    origin,
  }: {
    token: string;
    given: GivenFactor;
    deviceToken: string | null;
    earlierSession?: string | undefined;
    origin: Origin;
  },
): Promise<NewSession> {
  const { personId, digest } = await readPendingSignIn(ctx, token);
  const credential = await findCredentialById(ctx.db, personId);
  if (!credential) throw endedSignInError();
  const device = await findKnownDevice(ctx, { email: credential.email, deviceToken });
  // So that guesses from elsewhere do not lock a person out of a device they use.
  const limitKey = device ? `${personId} ${device.deviceId}` : personId;
  const recordFailure = (reason: FailedSignInReason) =>
    ctx.failedSignIns.record({ email: credential.email, reason, origin });
  const factor = await consumeFactor(ctx, {
    personId,
    given,
    limitKey,
    purpose: purposeOfSignIn(digest),
    onWrong: async () => {
      recordFailure('wrong_second_factors');
      await countWrongFactor(ctx, digest);
    },
  }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'RATE_LIMIT_EXCEEDED') {
      recordFailure('refused_by_limits');
    }
    throw error;
  });
  const session = await openSession(ctx, {
    credential,
    factor,
    origin,
    device,
    earlierSession,
    // The sign-in ended because the password was replaced, or another call used it up at the same
    // time.
    confirm: (tx) => deletePendingSignIn(tx, digest),
  });
  if (!session) throw endedSignInError();
  if (factor === 'recovery_code') await mailRecoveryCodeUse(ctx, { personId, origin });
  if (!device) await mailNewDevice(ctx, { credential, origin });
  return session;
}

async function countWrongFactor(ctx: Context, digest: Buffer): Promise<void> {
  if ((await countFailure(ctx.db, digest)) < maxFailures) return;
  await deletePendingSignIn(ctx.db, digest);
  throw endedSignInError();
}
