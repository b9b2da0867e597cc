import type { Context } from '../../../../context.ts';
import type { PasskeyPurpose } from '../../../../db/schema/people/second-factors.ts';
import type { PersonActor } from '../../../actor.ts';
import { invalid } from '../../../errors.ts';
import { refuseOverLimit } from '../../../refuse-over-limit.ts';
import { currentSessionId } from '../../sessions/find-session.ts';
import { purposeOfSignIn, readPendingSignIn } from '../../sign-in/pending-sign-in.ts';
import { listPasskeyRows } from '../../store/second-factors.ts';
import { optionsToUse, relyingPartyOf } from './webauthn.ts';

/**
 * Options with which someone who gave their password gets a signature from a passkey. The calls
 * are limited for each sign-in: each challenge is stored, and someone who knows the password must
 * not be able to prevent the owner from getting one.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.pending_token` if the sign-in has ended, or
 *   those of `startPasskeyUse`
 */
export async function startPasskeySignIn(
  ctx: Context,
  token: string,
): Promise<Record<string, unknown>> {
  const { personId, digest } = await readPendingSignIn(ctx, token);
  await refuseOverLimit(ctx, [{ limit: 'passkey-challenge', key: digest.toString('hex') }]);
  return await startPasskeyUse(ctx, { personId, purpose: purposeOfSignIn(digest) });
}

/**
 * Options with which a signed-in person gets a signature from a passkey that confirms their
 * identity, in this session alone.
 *
 * @throws ServiceError those of `startPasskeyUse`
 */
export async function startPasskeyProof(
  ctx: Context,
  { personId }: PersonActor,
  sessionToken: string,
): Promise<Record<string, unknown>> {
  const sessionId = await currentSessionId(ctx, sessionToken);
  return await startPasskeyUse(ctx, { personId, purpose: `prove:${sessionId}` });
}

/**
 * Options with which a browser asks one of the person's passkeys for a signature.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.passkey` if they have none that works here
 */
async function startPasskeyUse(
  ctx: Context,
  { personId, purpose }: { personId: string; purpose: PasskeyPurpose },
): Promise<Record<string, unknown>> {
  const relyingParty = relyingPartyOf(ctx.config);
  const passkeys = await listPasskeyRows(ctx.db, personId);
  if (!relyingParty || passkeys.length === 0) {
    throw invalid('passkey', 'You have no passkey that works here.');
  }
  return await optionsToUse(ctx, { relyingParty, personId, passkeys, purpose });
}
