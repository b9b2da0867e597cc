import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { hotRead } from '../../../db/statements/hot-read.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens, replacedTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { AccountId } from '../../account-id.ts';
import type { ApiKeyRow } from './keys.ts';

export type TokenRow = typeof apiKeyTokens.$inferSelect;
type NewTokenRow = typeof apiKeyTokens.$inferInsert;

export type TokenRecord = { key: ApiKeyRow; token: TokenRow };

/**
 * Sorts the token without an end first. That is the newest token even if a rotation was undone and
 * the clock was set back since: in that case the token that the undo ended, which was created
 * later, may seem to be valid.
 */
export const newestFirst = [desc(isNull(apiKeyTokens.validUntil)), desc(apiKeyTokens.id)];

/**
 * The token with this digest and its key, regardless of their state, unless their account is being
 * deleted. This is the only read of keys without an account, because it finds the account.
 */
export async function findTokenByDigest(db: Db | Tx, digest: Buffer): Promise<TokenRecord | null> {
  const [row] = await tokenOfDigest(db, { digest });
  return row ?? null;
}

const tokenOfDigest = hotRead(
  { key: getTableColumns(apiKeys), token: getTableColumns(apiKeyTokens) },
  (select) =>
    select
      .from(apiKeyTokens)
      .innerJoin(apiKeys, eq(apiKeys.id, apiKeyTokens.apiKeyId))
      .where(
        and(
          eq(apiKeyTokens.digest, sql.placeholder('digest')),
          isAccountNotDeleted(apiKeys.accountId),
        ),
      ),
);

/** The newest token of a key and those before it that are still valid at `now`, newest first. */
export async function validTokens(db: Db | Tx, key: ApiKeyRow, now: Date): Promise<TokenRow[]> {
  return await db
    .select()
    .from(apiKeyTokens)
    .where(isTokenOf(key, now))
    .orderBy(...newestFirst);
}

/**
 * The same, locked until the transaction ends, so that no token can be used for the first time in
 * the meantime. The tokens are locked in id order, as in `recordTokenUses`, so that the two cannot
 * deadlock.
 */
export async function lockValidTokens(tx: Tx, key: ApiKeyRow, now: Date): Promise<TokenRow[]> {
  const locked = await tx
    .select()
    .from(apiKeyTokens)
    .where(isTokenOf(key, now))
    .orderBy(asc(apiKeyTokens.id))
    .for('update');
  return locked.toSorted(
    (a, b) => Number(a.validUntil !== null) - Number(b.validUntil !== null) || b.id - a.id,
  );
}

/** The token of a key with these last four characters, valid or not; the latest of several. */
export async function findLatestToken(
  tx: Tx,
  key: ApiKeyRow,
  lastFour: string,
): Promise<TokenRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeyTokens)
    .where(columnsEqual(apiKeyTokens, { accountId: key.accountId, apiKeyId: key.id, lastFour }))
    .orderBy(desc(apiKeyTokens.id))
    .limit(1);
  return row ?? null;
}

/** The tokens of a key that were made before this one and could be undone to the same token. */
export async function listEarlierWithSameUndo(tx: Tx, token: TokenRow): Promise<TokenRow[]> {
  if (token.undoTokenId === null) return [];
  return await tx
    .select()
    .from(apiKeyTokens)
    .where(
      and(
        columnsEqual(apiKeyTokens, {
          accountId: token.accountId,
          apiKeyId: token.apiKeyId,
          undoTokenId: token.undoTokenId,
        }),
        lt(apiKeyTokens.id, token.id),
      ),
    )
    .orderBy(desc(apiKeyTokens.id));
}

/** All tokens of these keys of an account, valid or not, by the UUID of their key. */
export async function listTokensOfKeys(
  db: Db,
  accountId: AccountId,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, TokenRow[]>> {
  const rows = await db
    .select({ uuid: apiKeys.uuid, token: apiKeyTokens })
    .from(apiKeys)
    .innerJoin(apiKeyTokens, columnsEqual(apiKeyTokens, { accountId, apiKeyId: apiKeys.id }))
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.uuid, [...uuids])));
  return new Map(
    [...Map.groupBy(rows, ({ uuid }) => uuid)].map(([uuid, ofKey]) => [
      uuid,
      ofKey.map(({ token }) => token),
    ]),
  );
}

export async function insertToken(tx: Tx, row: NewTokenRow): Promise<TokenRow> {
  const [inserted] = await tx.insert(apiKeyTokens).values(row).returning();
  if (!inserted) throw new Error('an inserted token was not returned');
  return inserted;
}

/**
 * Replaces the key's newest token if it was never used; null if it was. Waits for a use that is
 * being written. The digest of the replaced token is kept, so that its key can be found.
 */
export async function replaceUnusedTokenRow(
  tx: Tx,
  { accountId, apiKeyId, id, digest, lastFour }: TokenRow,
  token: Pick<TokenRow, 'digest' | 'lastFour' | 'shownTo' | 'unconfirmedSince'> & {
    replacedUnusedAt: Date;
  },
): Promise<TokenRow | null> {
  const [replaced] = await tx
    .update(apiKeyTokens)
    .set({ ...token, unconfirmedMailedAt: null })
    .where(
      and(
        columnsEqual(apiKeyTokens, { accountId, apiKeyId, id }),
        isNull(apiKeyTokens.validUntil),
        isNull(apiKeyTokens.firstUsedAt),
      ),
    )
    .returning();
  if (!replaced) return null;
  const { replacedUnusedAt: replacedAt } = token;
  await tx.insert(replacedTokens).values({ accountId, apiKeyId, digest, lastFour, replacedAt });
  return replaced;
}

/** A token of the account and its key, whatever their state, also if another replaced it. */
export async function findTokenOfAccountByDigest(
  db: Db | Tx,
  accountId: AccountId,
  digest: Buffer,
): Promise<{ key: ApiKeyRow; token: Pick<TokenRow, 'lastFour' | 'validUntil'> } | null> {
  const ofAccount = eq(apiKeys.accountId, accountId);
  const [kept] = await db
    .select({ key: apiKeys, token: apiKeyTokens })
    .from(apiKeyTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeyTokens.apiKeyId))
    .where(and(eq(apiKeyTokens.digest, digest), ofAccount));
  if (kept) return kept;
  const [gone] = await db
    .select({ key: apiKeys, token: replacedTokens })
    .from(replacedTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, replacedTokens.apiKeyId))
    .where(and(eq(replacedTokens.digest, digest), ofAccount));
  return gone ? { ...gone, token: { ...gone.token, validUntil: gone.token.replacedAt } } : null;
}

/** Sets until when tokens are valid; `now` ends them. @param replacedAt by a rotation */
export async function endTokensAt(
  tx: Tx,
  key: ApiKeyRow,
  {
    tokenIds,
    validUntil,
    replacedAt,
  }: { tokenIds: readonly number[]; validUntil: Date; replacedAt?: Date },
): Promise<void> {
  if (tokenIds.length === 0) return;
  await tx
    .update(apiKeyTokens)
    .set({ validUntil, ...(replacedAt && { replacedAt }) })
    .where(and(eq(apiKeyTokens.accountId, key.accountId), inArray(apiKeyTokens.id, [...tokenIds])));
}

/**
 * Ends one older token early. No rotation can be undone to it afterwards: an undo that began
 * earlier might otherwise still see it as valid.
 */
export async function endOlderToken(tx: Tx, token: TokenRow, now: Date): Promise<void> {
  await updateTokenRow(tx, token, { validUntil: now });
  await tx
    .update(apiKeyTokens)
    .set({ undoTokenId: null })
    .where(
      columnsEqual(apiKeyTokens, {
        accountId: token.accountId,
        apiKeyId: token.apiKeyId,
        undoTokenId: token.id,
      }),
    );
}

/** Removes the deadline of an older token after the newest was ended. */
export async function makeTokenNewest(tx: Tx, token: TokenRow): Promise<void> {
  await updateTokenRow(tx, token, { validUntil: null, replacedAt: null });
}

/** Marks a token as confirmed; the rotation that made it can no longer be undone. */
export async function confirmTokenRow(tx: Tx, token: TokenRow): Promise<void> {
  await updateTokenRow(tx, token, { unconfirmedSince: null, undoTokenId: null });
}

async function updateTokenRow(
  tx: Tx,
  { accountId, apiKeyId, id }: TokenRow,
  change: Partial<NewTokenRow>,
): Promise<void> {
  await tx
    .update(apiKeyTokens)
    .set(change)
    .where(columnsEqual(apiKeyTokens, { accountId, apiKeyId, id }));
}

function isTokenOf(key: ApiKeyRow, now: Date) {
  return and(
    columnsEqual(apiKeyTokens, { accountId: key.accountId, apiKeyId: key.id }),
    isNewestOrValid(now),
  );
}

export function isNewestOrValid(now: Date) {
  return or(isNull(apiKeyTokens.validUntil), gt(apiKeyTokens.validUntil, now));
}
