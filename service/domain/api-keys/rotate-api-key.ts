import type { z } from 'zod';
import type { rotationInput } from '#lib/contract/api-keys.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { changeApiKey } from './change-api-key.ts';
import { rotateLockedKey } from './rotate-locked-key.ts';

/**
 * Gives a key a new token (specification 4.4). The key itself stays as it is.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the actor could not have made such a key, or calls
 *   with a token in its grace; VALIDATION_ERROR if the key is revoked or expired, if too many of
 *   its tokens would be valid, or if `expected_last_four` is not the newest token's.
 */
export async function rotateApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof rotationInput>,
): Promise<{ token: string; message: string }> {
  return await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    change: (locked) => rotateLockedKey(ctx, actor, { ...locked, input }),
  });
}
