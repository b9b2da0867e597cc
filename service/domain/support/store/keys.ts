import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/roles.ts';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/accounts.ts';
import { apiKeyTokens } from '../../../db/schema/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys.ts';
import { members } from '../../../db/schema/members.ts';
import type { DeskSearch } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import { access, contains, hasRole, isOpenTo, isOwnMembership } from './access.ts';

export type FoundKeyRow = Awaited<ReturnType<typeof findKeys>>[number];
export type FoundTokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/** Keys, those that are alive first, and of these the newest. */
export async function findKeys(
  db: Db,
  searcher: Searcher,
  about: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text, uuid, id, lastFour } = about.search;
  const match = or(
    uuid === null ? undefined : eq(apiKeys.uuid, uuid),
    id === null ? undefined : eq(apiKeys.id, id),
    text === null || uuid !== null ? undefined : contains(apiKeys.name, text),
    lastFour === null
      ? undefined
      : inArray(
          apiKeys.id,
          db
            .select({ id: apiKeyTokens.apiKeyId })
            .from(apiKeyTokens)
            .where(sql`lower(${apiKeyTokens.lastFour}) = lower(${lastFour}::text)`),
        ),
  );
  return match ? await selectKeys(db, searcher, { ...about, match }) : [];
}

/** The key to which the token with this digest belongs, and that token's id. */
export async function findKeyByDigest(
  db: Db,
  searcher: Searcher,
  { digest, roles }: { digest: Buffer; roles: readonly Role[] },
): Promise<{ key: FoundKeyRow; tokenId: number } | null> {
  const [token] = await db
    .select({ id: apiKeyTokens.id, apiKeyId: apiKeyTokens.apiKeyId })
    .from(apiKeyTokens)
    .where(eq(apiKeyTokens.digest, digest));
  if (!token) return null;
  const match = eq(apiKeys.id, token.apiKeyId);
  const [key] = await selectKeys(db, searcher, { match, roles, limit: 1 });
  return key ? { key, tokenId: token.id } : null;
}

async function selectKeys(
  db: Db,
  searcher: Searcher,
  about: { match: SQL; roles: readonly Role[]; limit: number },
) {
  const { match, roles, limit } = about;
  const at = sql`${searcher.now.toISOString()}::timestamptz`;
  const isEnded = or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, at));
  return await db
    .select({
      access,
      id: apiKeys.id,
      uuid: apiKeys.uuid,
      name: apiKeys.name,
      type: apiKeys.type,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      revokedBy: apiKeys.revokedBy,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher), hasRole(roles)))
    .orderBy(asc(sql`coalesce(${isEnded}, false)`), desc(apiKeys.id))
    .limit(limit);
}

/** Every token of keys that a search found, valid or not, the newest first. */
export async function listTokens(db: Db, keys: readonly FoundKeyRow[]) {
  if (keys.length === 0) return [];
  return await db
    .select({
      id: apiKeyTokens.id,
      apiKeyId: apiKeyTokens.apiKeyId,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
      lastUsedAt: apiKeyTokens.lastUsedAt,
      lastUsedIp: apiKeyTokens.lastUsedIp,
    })
    .from(apiKeyTokens)
    .where(
      and(
        inArray(apiKeyTokens.accountId, [...new Set(keys.map((key) => key.access.accountId))]),
        inArray(
          apiKeyTokens.apiKeyId,
          keys.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(desc(isNull(apiKeyTokens.validUntil)), desc(apiKeyTokens.id));
}
