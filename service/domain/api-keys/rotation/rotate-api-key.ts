import type { z } from 'zod';
import { rotateApiKey as contract } from '#lib/contract/api-keys/api-keys.ts';
import type { rotationInput } from '#lib/contract/api-keys/rotation.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import { repeatRotation } from './repeat-rotation.ts';
import { rotateLockedKey } from './rotate-locked-key.ts';

/**
 * Gives a key a new token (specification 4.4). The key itself does not change. If the request is
 * repeated with its `Idempotency-Key`, nothing is rotated again: the token it made is replaced,
 * unless it was used.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the actor could not have created such a key, or
 *   calls with a token in its grace period, except to repeat the rotation that put it there;
 *   VALIDATION_ERROR if the key is revoked or expired, if too many of its tokens would be valid, if
 *   `expected_last_four` is not the newest token's, or on `Idempotency-Key` for a repeat that is
 *   refused
 */
export async function rotateApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string; idempotencyKey?: string | null } & z.output<typeof rotationInput>,
): Promise<{ token: string; message: string }> {
  const { idempotencyKey: key = null, ...request } = input;
  const { notices, ...rotated } = await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    repeatable: { key, route: contract.name, request },
    change: async (locked) => {
      const { earlier, keep } = locked.claim;
      if (earlier) return await repeatRotation(actor, { ...locked, earlier });
      const { tokenId, ...rotation } = await rotateLockedKey(ctx, actor, { ...locked, input });
      const callerTokenId = actor.kind === 'api_key' ? actor.tokenId : null;
      await keep({ apiKeyId: locked.key.id, tokenId, callerTokenId });
      return rotation;
    },
  });
  sendNotices(ctx, notices);
  return rotated;
}
