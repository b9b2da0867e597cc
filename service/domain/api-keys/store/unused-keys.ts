import { and, asc, between, eq, gt, isNull, notExists, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { notices } from '../../../db/schema/people/notices.ts';

/** An active key without calls since `unusedSince`, which is its last use or its creation. */
export type UnusedKey = {
  accountId: string;
  id: number;
  uuid: string;
  name: string;
  isUsed: boolean;
  unusedSince: Date;
};

/**
 * Up to `limit` active keys of all accounts that became unused in this window and about which no
 * email was sent. It is not limited to one account, because keys become unused without a caller.
 */
export async function listUnusedKeys(
  db: Db,
  { from, to, now, limit }: { from: Date; to: Date; now: Date; limit: number },
): Promise<UnusedKey[]> {
  const uses = db.$with('uses').as(
    db
      .select({
        apiKeyId: apiKeyTokens.apiKeyId,
        lastUsedAt: sql`max(${apiKeyTokens.lastUsedAt})`.as('last_used_at'),
      })
      .from(apiKeyTokens)
      .groupBy(apiKeyTokens.apiKeyId),
  );
  const unusedSince = sql`coalesce(${uses.lastUsedAt}, ${apiKeys.createdAt})`;
  const rows = await db
    .with(uses)
    .select({
      accountId: apiKeys.accountId,
      id: apiKeys.id,
      uuid: apiKeys.uuid,
      name: apiKeys.name,
      isUsed: sql<boolean>`${uses.lastUsedAt} is not null`,
      unusedSince: unusedSince.mapWith(apiKeys.createdAt),
    })
    .from(apiKeys)
    .innerJoin(uses, eq(uses.apiKeyId, apiKeys.id))
    .where(
      and(
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        between(unusedSince, from, to),
        isAccountNotDeleted(apiKeys.accountId),
        notExists(
          db
            .select({ one: sql`1` })
            .from(notices)
            .where(
              and(
                eq(notices.accountId, apiKeys.accountId),
                eq(notices.kind, 'api_key.unused'),
                eq(notices.subjectId, sql`${apiKeys.uuid}::text`),
                gt(notices.createdAt, unusedSince),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(apiKeys.id))
    .limit(limit);
  return rows;
}
