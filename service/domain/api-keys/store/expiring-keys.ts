import { and, asc, eq, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { ApiKeyRow } from './keys.ts';

/**
 * Up to `limit` keys of all accounts whose expiry has to be announced, the earliest expiry first.
 * It is not limited to one account, because expiries happen without a caller.
 */
export async function listUnannouncedExpiries(
  db: Db,
  due: readonly { notices: number; expiresBy: Date }[],
  limit: number,
): Promise<{ accountId: string; id: number }[]> {
  return await db
    .select({ accountId: apiKeys.accountId, id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        // The same condition as the index, which holds only keys with outstanding notices.
        isNull(apiKeys.revokedAt),
        isNotNull(apiKeys.expiresAt),
        lt(apiKeys.expiryNotices, 3),
        or(
          ...due.map(({ notices, expiresBy }) =>
            and(lte(apiKeys.expiresAt, expiresBy), lt(apiKeys.expiryNotices, notices)),
          ),
        ),
        isAccountNotDeleted(apiKeys.accountId),
      ),
    )
    .orderBy(asc(apiKeys.expiresAt), asc(apiKeys.id))
    .limit(limit);
}

/** Last four of the key's newest token; null for a key without tokens. */
export async function newestLastFour(tx: Tx, key: ApiKeyRow): Promise<string | null> {
  const [row] = await tx
    .select({ lastFour: apiKeyTokens.lastFour })
    .from(apiKeyTokens)
    .where(
      and(
        eq(apiKeyTokens.accountId, key.accountId),
        eq(apiKeyTokens.apiKeyId, key.id),
        isNull(apiKeyTokens.validUntil),
      ),
    );
  return row?.lastFour ?? null;
}
