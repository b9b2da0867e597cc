import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { startPasskeyUse } from '../second-factors/passkeys/start-passkey-use.ts';
import { currentSessionId } from './current-session-id.ts';

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
