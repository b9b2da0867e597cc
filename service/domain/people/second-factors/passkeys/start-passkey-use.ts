import type { Context } from '../../../../context.ts';
import type { PasskeyPurpose } from '../../../../db/schema/people/second-factors.ts';
import { invalid } from '../../../errors.ts';
import { listPasskeyRows } from '../../store/second-factors.ts';
import { optionsToUse } from './webauthn.ts';
import { relyingPartyOf } from './relying-party.ts';

/**
 * Options with which a browser asks one of the person's passkeys for a signature.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.passkey` if they have none that works here
 */
export async function startPasskeyUse(
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
