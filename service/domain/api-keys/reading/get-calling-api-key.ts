import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Context } from '../../../context.ts';
import type { ApiKeyActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { describeStoredApiKey } from './describe-api-keys.ts';
import { findApiKeyWithTokens } from '../store/keys-with-tokens.ts';

/**
 * The key with which the request was made, in its current state. It comes from the cache that
 * authenticated the request, and includes uses that are not written yet. Only the responsible
 * person is read on each call, and reported leaks while a rotation can be undone.
 */
export async function getCallingApiKey(ctx: Context, actor: ApiKeyActor): Promise<ApiKey> {
  const { accountId, keyId } = actor;
  const now = ctx.clock.now();
  const found = await ctx.keyCache.findKey(keyId, () =>
    findApiKeyWithTokens(ctx.db, { accountId, id: keyId }, now),
  );
  if (!found) throw new ServiceError('UNAUTHORIZED');
  const tokens = found.tokens
    .filter(({ validUntil }) => validUntil === null || validUntil > now)
    .map((token) => ctx.usage.withLatestUse(token));
  return await describeStoredApiKey(ctx.db, { key: found.key, tokens }, { accountId, now });
}
