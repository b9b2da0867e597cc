import type { z } from 'zod';
import type { rotationInput } from '#lib/contract/api-keys.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import type { EarlierRequest } from '../idempotency/claim-request.ts';
import { changeApiKey } from './change-api-key.ts';
import { describeRotation } from './describe-rotation.ts';
import type { MadeToken } from './made-token.ts';
import { replaceUnusedToken } from './replace-unused-token.ts';
import { rotateLockedKey } from './rotate-locked-key.ts';
import { endOfToken } from './rules.ts';
import type { LockedApiKey } from './with-locked-api-key.ts';

type RotationAnswer = { token: string; message: string };

/**
 * Gives a key a new token (specification 4.4). The key itself stays as it is. Repeated with its
 * `Idempotency-Key`, the request rotates nothing again: the token it made is replaced, unless it
 * was used.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the actor could not have made such a key, or calls
 *   with a token in its grace, but to repeat the rotation by which it got there; VALIDATION_ERROR if
 *   the key is revoked or expired, if too many of its tokens would be valid, if `expected_last_four`
 *   is not the newest token's, or on `Idempotency-Key` for a repeat that cannot be
 */
export async function rotateApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string; idempotencyKey?: string | null } & z.output<typeof rotationInput>,
): Promise<RotationAnswer> {
  const { idempotencyKey: key = null, ...request } = input;
  return await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    named: { key, route: 'rotateApiKey', request },
    change: async (locked) => {
      const { before, keep } = locked.claim;
      if (before) return await repeatRotation(actor, { ...locked, before });
      const { token, tokenId, message } = await rotateLockedKey(ctx, actor, { ...locked, input });
      const callerTokenId = actor.kind === 'api_key' ? actor.tokenId : null;
      await keep({ apiKeyId: locked.key.id, tokenId, callerTokenId });
      return { token, message };
    },
  });
}

async function repeatRotation(
  actor: Actor,
  { tx, key, now, before }: LockedApiKey & { before: EarlierRequest<MadeToken> },
): Promise<RotationAnswer> {
  const replaced = await replaceUnusedToken(tx, actor, { key, before, now });
  const fates = replaced.tokens
    .slice(1)
    .map((token) => ({ token, validUntil: endOfToken(token, key.expiresAt) }));
  return {
    token: replaced.token,
    message: describeRotation({ fates, replacedUnused: replaced.replacedUnused }, now),
  };
}
