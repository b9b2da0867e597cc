import type { Context } from '../../../context.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { startPasskeyUse } from '../second-factors/passkeys/start-passkey-use.ts';
import { readPendingSignIn } from './pending-sign-in.ts';

/**
 * Options with which somebody who gave their password has a passkey sign. Counted by sign-in: each
 * challenge is stored, and whoever knows the password must not keep its owner from asking for one.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.pending_token` if the sign-in has ended, or those
 *   of `startPasskeyUse`; RATE_LIMIT_EXCEEDED
 */
export async function startPasskeySignIn(
  ctx: Context,
  token: string,
): Promise<Record<string, unknown>> {
  const { personId, digest } = await readPendingSignIn(ctx, token);
  await refuseOverLimit(ctx, [{ limit: 'passkey-challenge', key: digest.toString('hex') }]);
  return await startPasskeyUse(ctx, personId);
}
