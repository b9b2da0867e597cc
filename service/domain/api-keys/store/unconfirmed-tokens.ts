import { and, asc, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { ApiKeyRow } from './keys.ts';
import type { TokenRow } from './tokens.ts';

/** An unconfirmed token of an active key about which no email was sent. */
export type UnmailedToken = {
  key: ApiKeyRow;
  lastFour: string;
  shownTo: TokenRow['shownTo'];
  unconfirmedSince: Date;
};

/**
 * Ids of tokens of all accounts that were shown before `shownBefore` and have been neither used nor
 * confirmed.
 */
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

/**
 * A condition on a token joined with its key. An index holds the tokens that were shown and not
 * confirmed.
 */
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
