import type { Actor } from '../../actor.ts';
import type { EarlierRequest } from '../../idempotency/claim-request.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { describeReplacement } from './describe-rotation.ts';
import type { MadeToken } from '../tokens/is-own-rotation.ts';
import { replaceUnusedToken } from './replace-unused-token.ts';
import type { LockedApiKey } from '../locked/with-locked-api-key.ts';

/**
 * Responds to a repeated rotation with the same `Idempotency-Key`: replaces the token that the
 * first request made, and rotates nothing again.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` for a repeat that is refused
 */
export async function repeatRotation(
  actor: Actor,
  { tx, key, now, earlier }: LockedApiKey & { earlier: EarlierRequest<MadeToken> },
): Promise<{ token: string; message: string; notices: Notice[] }> {
  const replaced = await replaceUnusedToken(tx, actor, { key, earlier, now });
  const message = describeReplacement(replaced, { key, now });
  // Of the rotation itself, people were told already.
  return { token: replaced.token, message, notices: [] };
}
