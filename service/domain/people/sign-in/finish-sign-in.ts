import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { mailRecoveryCodeUse } from '../second-factors/mail-recovery-code-use.ts';
import { consumeFactor } from '../second-factors/consume-factor.ts';
import type { GivenFactor } from '../second-factors/consume-factor.ts';
import { openSession } from '../sessions/open-session.ts';
import type { NewSession } from '../sessions/open-session.ts';
import { findCredentialById } from '../store/people.ts';
import { countFailure, deletePendingSignIn } from '../store/pending-sign-ins.ts';
import { findKnownDevice } from './find-known-device.ts';
import { endedSignInError, purposeOfSignIn, readPendingSignIn } from './pending-sign-in.ts';
import { mailNewDevice } from './mail-new-device.ts';

/**
 * How many wrong second factors end a sign-in; after that, the person has to give the password
 * again.
 */
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
  const factor = await consumeFactor(ctx, {
    personId,
    given,
    limitKey,
    purpose: purposeOfSignIn(digest),
    onWrong: () => countWrongFactor(ctx, digest),
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
