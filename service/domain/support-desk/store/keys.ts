import { and, desc, eq, inArray, isNotNull, isNull, not, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { apiKeyTokens, replacedTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { members } from '../../../db/schema/people/members.ts';
import type { DeskSearch, FindInput, Searcher } from '../rules.ts';
import {
  accessOf,
  contains,
  equalNamesFirst,
  hasEqualName,
  hasRole,
  hasWords,
  isOpenTo,
  isOwnMembership,
  isSearched,
} from './access.ts';

export type FoundKeyRow = Awaited<ReturnType<typeof findKeys>>[number];
export type FoundTokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/**
 * Keys: first those whose id, UUID or end of a token was given, then those with exactly the given
 * name, then live ones, and among these the newest first.
 *
 * Matches of a text are read in the order of ids until there are enough, because a text of one
 * letter is in almost every name.
 */
export async function findKeys(
  db: Db,
  searcher: Searcher,
  { search, roles, skip, limit }: FindInput,
) {
  const { words } = search;
  const exact = exactMatches(db, search);
  const isEnded = endedFor(searcher);
  const isMatch = hasWords(words, (word) => contains(apiKeys.name, word));
  const matching = (...conditions: (SQL | undefined)[]) =>
    db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
      .leftJoin(members, isOwnMembership(searcher))
      .where(and(...conditions, isSearched(search), isOpenTo(searcher), hasRole(roles)))
      .limit(skip + limit);
  const found = [
    ...exact.map((match) => matching(match).orderBy(isEnded, desc(apiKeys.id))),
    ...(words.length === 0
      ? []
      : [
          matching(hasEqualName(apiKeys.name, words), isMatch).orderBy(
            ...equalNamesFirst(apiKeys.name, words),
            isEnded,
            desc(apiKeys.id),
          ),
          ...[not(isEnded), isEnded].map((which) =>
            matching(isMatch, which).orderBy(desc(apiKeys.id)),
          ),
        ]),
  ];
  const [first, ...others] = found;
  if (!first) return [];
  const ids = others.reduce((all, each) => all.unionAll(each), first.$dynamic());
  return await selectKeys(db, searcher, {
    match: inArray(apiKeys.id, ids),
    first: [...exact.map((match) => desc(match)), ...equalNamesFirst(apiKeys.name, words)],
    roles,
    skip,
    limit,
  });
}

/** One condition for each way in which a search can match a key. */
function exactMatches(db: Db, { uuid, id, lastFour }: DeskSearch): SQL[] {
  const withToken = (end: string) =>
    db
      .select({ id: apiKeyTokens.apiKeyId })
      .from(apiKeyTokens)
      .where(sql`lower(${apiKeyTokens.lastFour}) = lower(${end}::text)`);
  return [
    ...(uuid === null ? [] : [eq(apiKeys.uuid, uuid)]),
    ...(id === null ? [] : [sql`${apiKeys.id} = ${id}::bigint`]),
    ...(lastFour === null ? [] : [inArray(apiKeys.id, withToken(lastFour))]),
  ];
}

/** A token that was searched for by its digest. */
export type DigestedToken = Pick<FoundTokenRow, 'lastFour' | 'validUntil' | 'lastUsedAt'>;

/** The token with this digest and its key, also if another took the token's place. */
export async function findKeyByDigest(
  db: Db,
  searcher: Searcher,
  { digest, roles }: { digest: Buffer; roles: readonly Role[] },
): Promise<{ key: FoundKeyRow; token: DigestedToken } | null> {
  const [kept] = await db
    .select({
      apiKeyId: apiKeyTokens.apiKeyId,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
      lastUsedAt: apiKeyTokens.lastUsedAt,
    })
    .from(apiKeyTokens)
    .where(eq(apiKeyTokens.digest, digest));
  const [token] = kept
    ? [kept]
    : await db
        .select({
          apiKeyId: replacedTokens.apiKeyId,
          lastFour: replacedTokens.lastFour,
          validUntil: replacedTokens.replacedAt,
          // Only a token that nobody used is replaced.
          lastUsedAt: sql<null>`null`,
        })
        .from(replacedTokens)
        .where(eq(replacedTokens.digest, digest));
  if (!token) return null;
  const match = eq(apiKeys.id, token.apiKeyId);
  const [key] = await selectKeys(db, searcher, { match, first: [], roles, skip: 0, limit: 1 });
  return key ? { key, token } : null;
}

async function selectKeys(
  db: Db,
  searcher: Searcher,
  {
    match,
    first,
    roles,
    skip,
    limit,
  }: { match: SQL; first: SQL[] } & Pick<FindInput, 'roles' | 'skip' | 'limit'>,
) {
  return await db
    .select({
      access: accessOf(searcher),
      id: apiKeys.id,
      uuid: apiKeys.uuid,
      name: apiKeys.name,
      type: apiKeys.type,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      pausedAt: apiKeys.pausedAt,
      revokedAt: apiKeys.revokedAt,
      revokedBy: apiKeys.revokedBy,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher), hasRole(roles)))
    .orderBy(...first, endedFor(searcher), desc(apiKeys.id))
    .offset(skip)
    .limit(limit);
}

function endedFor({ now }: Searcher): SQL {
  const at = sqlInstant(now);
  return sql`(${apiKeys.revokedAt} is not null or coalesce(${apiKeys.expiresAt} <= ${at}, false))`;
}

/** All tokens of the keys that a search found, valid or not, newest first. */
export async function listTokens(db: Db, keys: readonly FoundKeyRow[]) {
  if (keys.length === 0) return [];
  return await db
    .select({
      id: apiKeyTokens.id,
      apiKeyId: apiKeyTokens.apiKeyId,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
      shownTo: apiKeyTokens.shownTo,
      unconfirmedSince: apiKeyTokens.unconfirmedSince,
      firstUsedAt: apiKeyTokens.firstUsedAt,
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

/** The last use of each of these keys with any of its tokens; keys without a use are left out. */
export async function listLastUses(
  db: Db,
  keyIds: readonly number[],
): Promise<ReadonlyMap<number, { at: Date; ip: string | null }>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([apiKeyTokens.apiKeyId], {
      keyId: apiKeyTokens.apiKeyId,
      at: apiKeyTokens.lastUsedAt,
      ip: apiKeyTokens.lastUsedIp,
    })
    .from(apiKeyTokens)
    .where(and(inArray(apiKeyTokens.apiKeyId, [...keyIds]), isNotNull(apiKeyTokens.lastUsedAt)))
    .orderBy(apiKeyTokens.apiKeyId, desc(apiKeyTokens.lastUsedAt));
  return new Map(rows.flatMap(({ keyId, at, ip }) => (at ? [[keyId, { at, ip }]] : [])));
}
