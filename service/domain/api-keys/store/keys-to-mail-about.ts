import {
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  sql,
} from 'drizzle-orm';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { ApiKeyRow } from './keys.ts';
import type { TokenRow } from './tokens.ts';

/** Up to `limit` keys of all accounts whose expiry has to be announced, the earliest first. */
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
          ...due.map((moment) =>
            and(
              lte(apiKeys.expiresAt, moment.expiresBy),
              lt(apiKeys.expiryNotices, moment.notices),
            ),
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
    .where(columnsEqual(apiKeyTokens, { accountId: key.accountId, apiKeyId: key.id }))
    .orderBy(desc(apiKeyTokens.id))
    .limit(1);
  return row?.lastFour ?? null;
}

/** An active key without calls since `unusedSince`, which is its last use or its creation. */
export type UnusedKey = {
  accountId: string;
  id: number;
  uuid: string;
  name: string;
  isUsed: boolean;
  unusedSince: Date;
};

/** Up to `limit` active keys of all accounts that became unused in this window, not yet emailed. */
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
                columnsEqual(notices, {
                  accountId: apiKeys.accountId,
                  kind: 'api_key.unused',
                  subjectId: sql`${apiKeys.uuid}::text`,
                }),
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

/** An unconfirmed token of an active key about which no email was sent. */
export type UnmailedToken = {
  key: ApiKeyRow;
  lastFour: string;
  shownTo: TokenRow['shownTo'];
  unconfirmedSince: Date;
};

/** Tokens of all accounts shown before `shownBefore` and neither used nor confirmed since. */
export async function listUnmailedTokens(
  db: Db,
  due: { shownBefore: Date; now: Date },
): Promise<number[]> {
  const rows = await db
    .select({ id: apiKeyTokens.id })
    .from(apiKeyTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeyTokens.apiKeyId))
    .where(isMailDue(due))
    .orderBy(asc(apiKeyTokens.id));
  return rows.map(({ id }) => id);
}

/**
 * Records that an email about a token is sent. Null if none is due any longer, because another
 * process sends it or because the row holds another token since the list was read.
 */
export async function claimTokenMail(
  db: Db | Tx,
  tokenId: number,
  due: { shownBefore: Date; now: Date },
): Promise<UnmailedToken | null> {
  const [row] = await db
    .update(apiKeyTokens)
    .set({ unconfirmedMailedAt: due.now })
    .from(apiKeys)
    .where(and(eq(apiKeyTokens.id, tokenId), eq(apiKeys.id, apiKeyTokens.apiKeyId), isMailDue(due)))
    .returning({
      key: apiKeys,
      lastFour: apiKeyTokens.lastFour,
      shownTo: apiKeyTokens.shownTo,
      unconfirmedSince: apiKeyTokens.unconfirmedSince,
    });
  return row?.unconfirmedSince ? { ...row, unconfirmedSince: row.unconfirmedSince } : null;
}

/** On a token joined with its key. An index holds the tokens that were not confirmed. */
function isMailDue({ shownBefore, now }: { shownBefore: Date; now: Date }) {
  return and(
    isNotNull(apiKeyTokens.unconfirmedSince),
    isNotNull(apiKeyTokens.shownTo),
    lte(apiKeyTokens.unconfirmedSince, shownBefore),
    isNull(apiKeyTokens.unconfirmedMailedAt),
    isNull(apiKeyTokens.firstUsedAt),
    isNull(apiKeyTokens.validUntil),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
    isAccountNotDeleted(apiKeys.accountId),
  );
}
