import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Context } from '../../context.ts';
import type { ApiKeyActor } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { describeStoredApiKey } from './describe-api-keys.ts';
import { findApiKeyWithTokens } from './store/keys-with-tokens.ts';

/**
 * The key a request was made with, as it stands now: from the cache that authenticated it, with the
 * uses that are not written yet. Only the person responsible for the key, and leaks that are reported
 * while a rotation can be undone, are read each time.
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
