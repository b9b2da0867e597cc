import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { describeStoredApiKey } from './describe-api-keys.ts';
import { findApiKeyId } from '../store/keys.ts';
import { findApiKeyWithTokens } from '../store/keys-with-tokens.ts';

/** One key of the actor's account. @throws ServiceError NOT_FOUND */
export async function getApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string },
): Promise<ApiKey> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.apiKey);
  const id = reference && (await findApiKeyId(ctx.db, actor.accountId, reference));
  const found = id && (await findApiKeyWithTokens(ctx.db, { accountId: actor.accountId, id }, now));
  if (!found) throw notFound();
  return await describeStoredApiKey(ctx.db, found, { accountId: actor.accountId, now });
}
