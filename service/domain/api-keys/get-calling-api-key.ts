import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Context } from '../../context.ts';
import type { ApiKeyActor } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { describeStoredApiKey } from './describe-api-keys.ts';
import { findApiKeyWithTokens } from './store/keys-with-tokens.ts';

/** The key a request was made with, as it stands now. */
export async function getCallingApiKey(ctx: Context, actor: ApiKeyActor): Promise<ApiKey> {
  const now = ctx.clock.now();
  const found = await findApiKeyWithTokens(
    ctx.db,
    { accountId: actor.accountId, id: actor.keyId },
    now,
  );
  if (!found) throw new ServiceError('UNAUTHORIZED');
  return await describeStoredApiKey(ctx.db, found, { accountId: actor.accountId, now });
}
