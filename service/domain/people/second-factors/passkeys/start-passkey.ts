import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { invalid } from '../../../errors.ts';
import { currentSessionId } from '../../sessions/current-session-id.ts';
import { listPasskeyRows } from '../../store/second-factors.ts';
import { optionsToAdd } from './webauthn.ts';
import { relyingPartyOf } from './relying-party.ts';

/**
 * Options with which a browser creates a passkey, in this session alone.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.passkey` if the service has no host name
 */
export async function startPasskey(
  ctx: Context,
  { personId, personName, email }: PersonActor,
  sessionToken: string,
): Promise<Record<string, unknown>> {
  const relyingParty = relyingPartyOf(ctx.config);
  if (!relyingParty) {
    throw invalid(
      'passkey',
      'Passkeys need a host name. Whoever runs this service sets it as PUBLIC_URL.',
    );
  }
  const person = { id: personId, name: personName, email };
  const existing = await listPasskeyRows(ctx.db, personId);
  const purpose = `add:${await currentSessionId(ctx, sessionToken)}` as const;
  return await optionsToAdd(ctx, { relyingParty, person, existing, purpose });
}
