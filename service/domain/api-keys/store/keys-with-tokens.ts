import { and, desc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { EndedApiKeyStatus } from '#lib/contract/api-keys/ended-api-keys.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { AccountId } from '../../account-id.ts';
import type { TimeMark } from '../../cursor.ts';
import type { ApiKeyRow } from './keys.ts';
import { isNewestOrValid, newestFirst, validTokens } from './tokens.ts';
import type { TokenRow } from './tokens.ts';

export type ApiKeyWithTokens = { key: ApiKeyRow; tokens: readonly TokenRow[] };

/**
 * The keys of an account that are active at `now`, and the `endedLimit` keys that ended last, newest
 * first. Each has its newest token and those still valid at `now`.
 */
export async function listApiKeysWithTokens(
  db: Db | Tx,
  accountId: AccountId,
  { now, endedLimit }: { now: Date; endedLimit: number },
): Promise<ApiKeyWithTokens[]> {
  // Few accounts have more keys than `endedLimit`. For all others this short statement is enough:
  // planning the longer one takes longer than reading their keys.
  const newest = await selectNewestFirst(db, eq(apiKeys.accountId, accountId)).limit(
    endedLimit + 1,
  );
  const keys =
    newest.length <= endedLimit
      ? newest
      : await selectNewestFirst(db, isActiveOrEndedLast(accountId, { now, endedLimit }));
  return await withTokens(db, keys, now);
}

function selectNewestFirst(db: Db | Tx, condition: SQL | undefined) {
  return db.select().from(apiKeys).where(condition).orderBy(desc(apiKeys.id));
}

/** Reads no more ended keys than may be shown, however many there are. */
function isActiveOrEndedLast(
  accountId: AccountId,
  { now, endedLimit }: { now: Date; endedLimit: number },
): SQL | undefined {
  const at = now.toISOString();
  // Each part is a range of an index. With one condition for active keys with and without an expiry,
  // PostgreSQL would also read every expired key.
  const ids = sql`(
    select id from api_keys
    where account_id = ${accountId} and revoked_at is null and expires_at is null
    union all
    select id from api_keys
    where account_id = ${accountId} and revoked_at is null and expires_at > ${at}::timestamptz
    union all
    (select id from (
      (select id, revoked_at as ended_at from api_keys
       where account_id = ${accountId} and revoked_at is not null
       order by revoked_at desc, id desc limit ${endedLimit})
      union all
      (select id, expires_at from api_keys
       where account_id = ${accountId} and revoked_at is null and expires_at <= ${at}::timestamptz
       order by expires_at desc, id desc limit ${endedLimit})
    ) as ended order by ended_at desc, id desc limit ${endedLimit}))`;
  return and(eq(apiKeys.accountId, accountId), sql`${apiKeys.id} in ${ids}`);
}

/**
 * Up to `limit` keys with a status, most recently ended first. A key that was revoked counts as
 * revoked even if it had expired before.
 *
 * @param page.before only keys that ended before this position
 */
export async function listEndedApiKeysWithTokens(
  db: Db | Tx,
  accountId: AccountId,
  page: { status: EndedApiKeyStatus; now: Date; before: TimeMark | null; limit: number },
): Promise<ApiKeyWithTokens[]> {
  const { status, now, before, limit } = page;
  const end = endColumns[status];
  const keys = await db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        status === 'revoked'
          ? isNotNull(apiKeys.revokedAt)
          : and(isNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, now)),
        // Compared as a row, so that PostgreSQL begins to read the index there instead of filtering
        // rows.
        before
          ? sql`(${end}, ${apiKeys.id}) < (${sqlInstant(before.at)}, ${before.id})`
          : undefined,
      ),
    )
    .orderBy(desc(end), desc(apiKeys.id))
    .limit(limit);
  return await withTokens(db, keys, now);
}

/** Which column holds the end of a key with this status. */
const endColumns = {
  revoked: apiKeys.revokedAt,
  expired: apiKeys.expiresAt,
} satisfies Record<EndedApiKeyStatus, unknown>;

/**
 * These keys of one account, with their tokens. It is a separate statement, because PostgreSQL
 * overestimates the number of keys and would read every token of the account for a join.
 */
async function withTokens(
  db: Db | Tx,
  keys: readonly ApiKeyRow[],
  now: Date,
): Promise<ApiKeyWithTokens[]> {
  const [first] = keys;
  if (!first) return [];
  const tokens = await db
    .select()
    .from(apiKeyTokens)
    .where(
      and(
        eq(apiKeyTokens.accountId, first.accountId),
        // One parameter for hundreds of ids. It is in a subquery because the planner would
        // otherwise see how few they are, and would keep planning the statement again for each
        // call.
        sql`${apiKeyTokens.apiKeyId} = any(
          array(select unnest(${`{${keys.map(({ id }) => id).join(',')}}`}::integer[]))
        )`,
        isNewestOrValid(now),
      ),
    )
    .orderBy(...newestFirst);
  const tokensOfKey = Map.groupBy(tokens, (token) => token.apiKeyId);
  return keys.map((key) => ({ key, tokens: tokensOfKey.get(key.id) ?? [] }));
}

export async function findApiKeyWithTokens(
  db: Db | Tx,
  { accountId, id }: { accountId: AccountId; id: number },
  now: Date,
): Promise<ApiKeyWithTokens | null> {
  const [key] = await db.select().from(apiKeys).where(columnsEqual(apiKeys, { accountId, id }));
  return key ? { key, tokens: await validTokens(db, key, now) } : null;
}
