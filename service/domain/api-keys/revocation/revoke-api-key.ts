import type { z } from 'zod';
import type { revokeApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { changeApiKey } from '../locked/change-api-key.ts';
import { revokeLockedKey } from './revoke-locked-key.ts';

/**
 * Ends a key and all its tokens for good. Revoking a revoked key changes nothing, so a client that
 * lost the response can repeat the call.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN
 */
export async function revokeApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof revokeApiKeyInput>,
): Promise<void> {
  await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.revoke',
    change: (locked) => revokeLockedKey(actor, { ...locked, reason: input.reason ?? null }),
  });
}
