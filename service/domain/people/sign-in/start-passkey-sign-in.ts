import type { Context } from '../../../context.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { startPasskeyUse } from '../second-factors/passkeys/start-passkey-use.ts';
import { purposeOfSignIn, readPendingSignIn } from './pending-sign-in.ts';

/**
 * Options with which somebody who gave their password gets a signature from a passkey. The calls
 * are limited for each sign-in: each challenge is stored, and somebody who knows the password must
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
