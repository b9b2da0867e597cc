import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import {
  endedApiKeysListed,
  type EndedApiKeyStatus,
} from '#lib/contract/api-keys/ended-api-keys.ts';
import type { AccountUsage, KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import type { Context } from '../../context.ts';
import type { Actor, ApiKeyActor, PersonActor } from '../actor.ts';
import { readTimeCursor, writeTimeCursor } from '../cursor.ts';
import { notFound, ServiceError } from '../errors.ts';
import { readQuotas } from '../quotas/quotas.ts';
import { pageOf } from '../read-page.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { describeApiKeys, describeStoredApiKey } from './describe-api-key.ts';
import { endedAt, scopesOfKey } from './rules.ts';
import {
  findApiKeyWithTokens,
  listApiKeysWithTokens,
  listEndedApiKeysWithTokens,
} from './store/keys-with-tokens.ts';
import { countActiveApiKeysByScopes, findApiKeyId } from './store/keys.ts';

/** The account's keys, newest first: active ones, and the 200 that ended last. */
export async function listApiKeys(ctx: Context, actor: Actor): Promise<ApiKey[]> {
  const now = ctx.clock.now();
  const keys = await listApiKeysWithTokens(ctx.db, actor.accountId, {
    now,
    endedLimit: endedApiKeysListed,
  });
  return await describeApiKeys(ctx.db, keys, { accountId: actor.accountId, now });
}

/**
 * A page of the account's revoked or expired keys, those that ended last first. A key that was
 * revoked counts as revoked even if it had expired before.
 *
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEndedApiKeys(
  ctx: Context,
  actor: Actor,
  query: { status: EndedApiKeyStatus; cursor?: string | undefined; limit: number },
): Promise<{ apiKeys: ApiKey[]; nextCursor: string | null }> {
  const { status, cursor, limit } = query;
  const now = ctx.clock.now();
  const list = `${status}-keys` as const;
  const found = await listEndedApiKeysWithTokens(ctx.db, actor.accountId, {
    status,
    now,
    before: readTimeCursor(list, cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ key }) =>
    writeTimeCursor(list, { at: endedAt(key), id: key.id }),
  );
  return {
    apiKeys: await describeApiKeys(ctx.db, rows, { accountId: actor.accountId, now }),
    nextCursor,
  };
}

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

/** How many active keys the actor's account has for each list of scopes, and how many webhooks. */
export async function getAccountUsage(
  ctx: Context,
  { accountId }: PersonActor,
): Promise<AccountUsage> {
  const groups = new Map<string, KeysOfScopes>();
  for (const row of await countActiveApiKeysByScopes(ctx.db, accountId, ctx.clock.now())) {
    const scopes = scopesOfKey(row);
    const name = scopes.join(' ');
    groups.set(name, { scopes, count: row.count + (groups.get(name)?.count ?? 0) });
  }
  const { webhooks } = await readQuotas(ctx, ctx.db, accountId);
  return { live_keys: [...groups.values()], webhooks: webhooks.used };
}
