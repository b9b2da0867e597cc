import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { EndedApiKeyStatus } from '#lib/contract/api-keys/ended-api-keys.ts';
import type { Db, Tx } from '../../db/open.ts';
import { isInLivingAccount } from '../../db/living-account.ts';
import { apiKeyTokens } from '../../db/schema/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys.ts';
import type { AccountId } from '../account-id.ts';
import type { TimeMark } from '../cursor.ts';
import type { ResourceReference } from '../resource-reference.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;
export type TokenRow = typeof apiKeyTokens.$inferSelect;
export type NewApiKeyRow = typeof apiKeys.$inferInsert;
export type NewTokenRow = typeof apiKeyTokens.$inferInsert;

/** A token with the key it belongs to. */
export type TokenRecord = { key: ApiKeyRow; token: TokenRow };

/** A key with its tokens, newest first. */
export type ApiKeyWithTokens = { key: ApiKeyRow; tokens: readonly TokenRow[] };

/** The channel on which a changed key's id is announced to every process. */
export const apiKeyChangedChannel = 'api_key_changed';

/**
 * The one without an end is the newest, also where a rotation was undone and the clock went back
 * since: then the token that ended with it, made later, may seem to be valid.
 */
const newestFirst = [desc(isNull(apiKeyTokens.validUntil)), desc(apiKeyTokens.id)];

/**
 * The token with this digest and its key, whatever their state, unless their account is being deleted. The one read without an account: it is what finds the account.
 */
export async function findTokenByDigest(db: Db | Tx, digest: Buffer): Promise<TokenRecord | null> {
  const [row] = await db
    .select({ key: apiKeys, token: apiKeyTokens })
    .from(apiKeyTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeyTokens.apiKeyId))
    .where(and(eq(apiKeyTokens.digest, digest), isInLivingAccount(apiKeys.accountId)));
  return row ?? null;
}

/**
 * The keys of an account that are alive at `now` and the `endedLimit` that ended last, newest first,
 * each with the tokens still valid at `now` and the newest.
 */
export async function listApiKeysWithTokens(
  db: Db | Tx,
  accountId: AccountId,
  { now, endedLimit }: { now: Date; endedLimit: number },
): Promise<ApiKeyWithTokens[]> {
  // Few accounts have so many keys that one could be left out. The others are spared the planning of
  // the longer statement, which takes longer than reading their keys.
  const newest = await selectNewestFirst(db, eq(apiKeys.accountId, accountId)).limit(
    endedLimit + 1,
  );
  const keys =
    newest.length <= endedLimit
      ? newest
      : await selectNewestFirst(db, isAliveOrEndedLast(accountId, { now, endedLimit }));
  return await withTokens(db, keys, now);
}

function selectNewestFirst(db: Db | Tx, condition: SQL | undefined) {
  return db.select().from(apiKeys).where(condition).orderBy(desc(apiKeys.id));
}

/** Of the ended keys no more are read than may be shown, however many there are. */
function isAliveOrEndedLast(
  accountId: AccountId,
  { now, endedLimit }: { now: Date; endedLimit: number },
): SQL | undefined {
  const at = now.toISOString();
  // Each part is a range of an index. With one condition for living keys with and without an expiry,
  // PostgreSQL would read every expired one as well.
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
 * Up to `limit` keys with a status, those that ended last first. A key that was revoked counts as
 * revoked even if it had expired before.
 *
 * @param page.before only keys that ended before this mark
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
        // Compared as a row, so that PostgreSQL starts reading the index there instead of filtering.
        before
          ? sql`(${end}, ${apiKeys.id}) < (${before.at.toISOString()}::timestamptz, ${before.id})`
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
 * These keys of one account with their tokens. It is a statement of its own, because PostgreSQL
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
        // One parameter, for hundreds of ids.
        sql`${apiKeyTokens.apiKeyId} = any(${`{${keys.map(({ id }) => id).join(',')}}`}::integer[])`,
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
  const [key] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)));
  return key ? { key, tokens: await validTokens(db, key, now) } : null;
}

export async function findApiKeyId(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<number | null> {
  const [row] = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        reference.kind === 'id' ? eq(apiKeys.id, reference.id) : eq(apiKeys.uuid, reference.uuid),
      ),
    );
  return row?.id ?? null;
}

/** Locks these keys of the account until the transaction ends, in id order so that two callers never wait for each other in a circle. */
export async function lockApiKeys(
  tx: Tx,
  accountId: AccountId,
  ids: readonly number[],
): Promise<ApiKeyRow[]> {
  return await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])))
    .orderBy(asc(apiKeys.id))
    .for('update');
}

/** The key, which nobody changes until the transaction ends; any number may hold it so at once. */
export async function shareApiKey(
  tx: Tx,
  accountId: AccountId,
  id: number,
): Promise<ApiKeyRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)))
    .for('share');
  return row ?? null;
}

/** The newest token of a key and those before it that are still valid at `now`, newest first. */
export async function validTokens(db: Db | Tx, key: ApiKeyRow, now: Date): Promise<TokenRow[]> {
  return await db
    .select()
    .from(apiKeyTokens)
    .where(isTokenOf(key, now))
    .orderBy(...newestFirst);
}

/**
 * The same, locked until the transaction ends: whether one was ever used cannot change meanwhile.
 * They are locked in id order, as `recordTokenUses` does, so that the two never wait for each other
 * in a circle.
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

/** The one that was made last of the tokens of a key with these last four characters, valid or not. */
export async function findLatestToken(
  tx: Tx,
  key: ApiKeyRow,
  lastFour: string,
): Promise<TokenRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeyTokens)
    .where(
      and(
        eq(apiKeyTokens.accountId, key.accountId),
        eq(apiKeyTokens.apiKeyId, key.id),
        eq(apiKeyTokens.lastFour, lastFour),
      ),
    )
    .orderBy(desc(apiKeyTokens.id))
    .limit(1);
  return row ?? null;
}

/** Keys of the account that are neither revoked nor expired. */
export async function countLiveApiKeys(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<number> {
  return await db.$count(
    apiKeys,
    and(
      eq(apiKeys.accountId, accountId),
      isNull(apiKeys.revokedAt),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
    ),
  );
}

/** Makes creations in one account wait for each other, so that a quota holds under concurrency. */
export async function lockApiKeyQuota(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`api_keys:${accountId}`}, 0))`,
  );
}

export async function insertApiKey(tx: Tx, row: NewApiKeyRow): Promise<ApiKeyRow> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning();
  if (!inserted) throw new Error('an inserted API key came back without its row');
  return inserted;
}

export async function updateApiKeyRow(
  tx: Tx,
  key: ApiKeyRow,
  change: Partial<NewApiKeyRow>,
): Promise<ApiKeyRow> {
  const [updated] = await tx
    .update(apiKeys)
    .set(change)
    .where(and(eq(apiKeys.accountId, key.accountId), eq(apiKeys.id, key.id)))
    .returning();
  if (!updated) throw new Error('a locked API key vanished');
  return updated;
}

export async function insertToken(tx: Tx, row: NewTokenRow): Promise<TokenRow> {
  const [inserted] = await tx.insert(apiKeyTokens).values(row).returning();
  if (!inserted) throw new Error('an inserted token came back without its row');
  return inserted;
}

/**
 * Puts another token in the place of the key's newest, if that was never used; null if it was. A use
 * that is being written now is waited for.
 */
export async function replaceUnusedTokenRow(
  tx: Tx,
  { accountId, apiKeyId, id }: TokenRow,
  token: Pick<TokenRow, 'digest' | 'lastFour' | 'revealedTo' | 'unconfirmedSince'>,
): Promise<TokenRow | null> {
  const [replaced] = await tx
    .update(apiKeyTokens)
    .set({ ...token, unconfirmedMailedAt: null })
    .where(
      and(
        eq(apiKeyTokens.accountId, accountId),
        eq(apiKeyTokens.apiKeyId, apiKeyId),
        eq(apiKeyTokens.id, id),
        isNull(apiKeyTokens.validUntil),
        isNull(apiKeyTokens.firstUsedAt),
      ),
    )
    .returning();
  return replaced ?? null;
}

/** Sets until when tokens are valid. A moment that is `now` ends them at once. */
export async function endTokensAt(
  tx: Tx,
  key: ApiKeyRow,
  { tokenIds, validUntil }: { tokenIds: readonly number[]; validUntil: Date },
): Promise<void> {
  if (tokenIds.length === 0) return;
  await tx
    .update(apiKeyTokens)
    .set({ validUntil })
    .where(and(eq(apiKeyTokens.accountId, key.accountId), inArray(apiKeyTokens.id, [...tokenIds])));
}

/**
 * Ends one older token before its time. No rotation is undone to it any more: an undoing that began
 * before would see it as valid.
 */
export async function endOlderToken(tx: Tx, token: TokenRow, now: Date): Promise<void> {
  await updateTokenRow(tx, token, { validUntil: now });
  await tx
    .update(apiKeyTokens)
    .set({ undoTokenId: null })
    .where(
      and(
        eq(apiKeyTokens.accountId, token.accountId),
        eq(apiKeyTokens.apiKeyId, token.apiKeyId),
        eq(apiKeyTokens.undoTokenId, token.id),
      ),
    );
}

/** Takes the deadline from an older token, after the newest was ended. */
export async function makeTokenNewest(tx: Tx, token: TokenRow): Promise<void> {
  await updateTokenRow(tx, token, { validUntil: null });
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
    .where(
      and(
        eq(apiKeyTokens.accountId, accountId),
        eq(apiKeyTokens.apiKeyId, apiKeyId),
        eq(apiKeyTokens.id, id),
      ),
    );
}

/** An unconfirmed token of a live key about which no mail was sent. */
export type UnmailedToken = {
  key: ApiKeyRow;
  lastFour: string;
  revealedTo: TokenRow['revealedTo'];
  unconfirmedSince: Date;
};

/** Ids of the tokens of all accounts that nobody used or confirmed since they were shown, before `shownBefore`. */
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
 * Records that a mail is sent about a token; null if it needs none any more, or another process sends
 * it. Since the list was read, another token may have come into its row.
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
      revealedTo: apiKeyTokens.revealedTo,
      unconfirmedSince: apiKeyTokens.unconfirmedSince,
    });
  return row?.unconfirmedSince ? { ...row, unconfirmedSince: row.unconfirmedSince } : null;
}

/** Of a token with its key. An index holds the tokens that were shown and not confirmed. */
function isMailDue({ shownBefore, now }: { shownBefore: Date; now: Date }) {
  return and(
    isNotNull(apiKeyTokens.unconfirmedSince),
    isNotNull(apiKeyTokens.revealedTo),
    lte(apiKeyTokens.unconfirmedSince, shownBefore),
    isNull(apiKeyTokens.unconfirmedMailedAt),
    isNull(apiKeyTokens.firstUsedAt),
    isNull(apiKeyTokens.validUntil),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
    isInLivingAccount(apiKeys.accountId),
  );
}

/** Tells every process, when the transaction commits, that a key changed. */
export async function announceApiKeyChange(tx: Tx, apiKeyId: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${apiKeyChangedChannel}, ${String(apiKeyId)})`);
}

/** Locks the keys of an account that are not revoked, in id order. */
export async function lockLivingKeys(tx: Tx, accountId: AccountId): Promise<void> {
  await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isLivingIn(accountId))
    .orderBy(asc(apiKeys.id))
    .for('update');
}

/** Tells every process, when the transaction commits, that these keys changed; gives their ids. */
export async function announceLivingKeys(tx: Tx, accountId: AccountId): Promise<number[]> {
  const announced = await tx
    .select({
      id: apiKeys.id,
      told: sql`pg_notify(${apiKeyChangedChannel}, ${apiKeys.id}::text)`,
    })
    .from(apiKeys)
    .where(isLivingIn(accountId));
  return announced.map(({ id }) => id);
}

function isLivingIn(accountId: AccountId) {
  return and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
}

function isTokenOf(key: ApiKeyRow, now: Date) {
  return and(
    eq(apiKeyTokens.accountId, key.accountId),
    eq(apiKeyTokens.apiKeyId, key.id),
    isNewestOrValid(now),
  );
}

function isNewestOrValid(now: Date) {
  return or(isNull(apiKeyTokens.validUntil), gt(apiKeyTokens.validUntil, now));
}
