import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { endedApiKeysListed } from '#lib/contract/api-keys/ended-api-keys.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { describeApiKeys } from './describe-api-keys.ts';
import { listApiKeysWithTokens } from '../store/keys-with-tokens.ts';

/**
 * The keys of the actor's account, newest first: all active keys, and the 200 that were revoked or
 * expired last. `listEndedApiKeys` pages through all of the latter.
 */
export async function listApiKeys(ctx: Context, actor: Actor): Promise<ApiKey[]> {
  const now = ctx.clock.now();
  const keys = await listApiKeysWithTokens(ctx.db, actor.accountId, {
    now,
    endedLimit: endedApiKeysListed,
  });
  return await describeApiKeys(ctx.db, keys, { accountId: actor.accountId, now });
}
