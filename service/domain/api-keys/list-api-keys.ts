import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeApiKey } from './describe-api-key.ts';
import { listApiKeysWithTokens } from './store.ts';

/** Every key of the actor's account, newest first. */
export async function listApiKeys(ctx: Context, actor: Actor): Promise<ApiKey[]> {
  const now = ctx.clock.now();
  const keys = await listApiKeysWithTokens(ctx.db, actor.accountId, now);
  return keys.map((key) => describeApiKey(key, now));
}
