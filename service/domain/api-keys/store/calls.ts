import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import type { CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import type { Db } from '../../../db/open.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens, tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { callCounts, callers, failedCalls } from '../../../db/schema/api-keys/calls.ts';
import type { AccountId } from '../../account-id.ts';

type OfKey = { accountId: AccountId; apiKeyId: number };

/** The counts of a key since an hour began. */
export async function listCallCounts(
  db: Db,
  { accountId, apiKeyId, since }: OfKey & { since: Date },
): Promise<(typeof callCounts.$inferSelect)[]> {
  return await db
    .select()
    .from(callCounts)
    .where(and(columnsEqual(callCounts, { accountId, apiKeyId }), gte(callCounts.hour, since)));
}

export type CallsInHour = { keyUuid: string; hour: Date; outcome: CallOutcome; calls: number };

/** The calls of each key of an account that is not revoked, by hour and outcome. */
export async function listCallsByHour(
  db: Db,
  accountId: AccountId,
  since: Date,
): Promise<CallsInHour[]> {
  const { hour, outcome } = callCounts;
  return await db
    .select({
      keyUuid: apiKeys.uuid,
      hour,
      outcome,
      calls: sql`sum(${callCounts.calls})`.mapWith(Number),
    })
    .from(callCounts)
    .innerJoin(apiKeys, eq(apiKeys.id, callCounts.apiKeyId))
    .where(
      and(
        eq(callCounts.accountId, accountId),
        // For each key, its hours are found by the index.
        inArray(
          callCounts.apiKeyId,
          db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.accountId, accountId)),
        ),
        gte(hour, since),
      ),
    )
    .groupBy(apiKeys.uuid, hour, outcome);
}

export type StoredCaller = {
  address: string;
  userAgent: string;
  tokenId: number;
  lastFour: string;
  validUntil: Date | null;
  firstAt: Date;
  lastAt: Date;
  calls: number;
};

/**
 * The callers of a key since a moment, the most frequent first, each with its first call that is
 * still counted. The others of each token have no address.
 */
export async function listCallers(
  db: Db,
  { accountId, apiKeyId, since }: OfKey & { since: Date },
): Promise<StoredCaller[]> {
  const { tokenId, address, userAgent, firstAt, lastAt, hour } = callers;
  const calls = sql`coalesce(sum(${callers.calls})
    filter (where ${hour} >= ${sqlInstant(since)}), 0)`;
  const rows = await db
    .select({
      tokenId,
      address,
      userAgent,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
      firstMs: sqlMilliseconds(sql`min(${firstAt})`).mapWith(Number),
      lastMs: sqlMilliseconds(sql`max(${lastAt})`).mapWith(Number),
      calls: calls.mapWith(Number),
    })
    .from(callers)
    .innerJoin(apiKeyTokens, eq(apiKeyTokens.id, tokenId))
    .where(columnsEqual(callers, { accountId, apiKeyId }))
    .groupBy(tokenId, address, userAgent, apiKeyTokens.lastFour, apiKeyTokens.validUntil)
    .having(sql`${calls} > 0`)
    .orderBy(sql`${calls} desc, max(${lastAt}) desc`);
  return rows.map(({ firstMs, lastMs, ...caller }) => ({
    ...caller,
    firstAt: new Date(firstMs),
    lastAt: new Date(lastMs),
  }));
}

/** Calls in each minute with any since an hour began, of one key or all. @returns in no order */
export async function listMinuteCalls(
  db: Db,
  accountId: AccountId,
  { since, apiKeyId }: { since: Date; apiKeyId: number | null },
): Promise<number[]> {
  const ofKey = db
    .select({ id: apiKeyTokens.id })
    .from(apiKeyTokens)
    .where(
      and(
        eq(apiKeyTokens.accountId, accountId),
        apiKeyId === null ? undefined : eq(apiKeyTokens.apiKeyId, apiKeyId),
      ),
    );
  const rows = await db
    .select({ calls: sql`sum(m.calls)`.mapWith(Number) })
    .from(tokenCalls)
    .innerJoin(sql`unnest(${tokenCalls.minutes}) with ordinality as m (calls, minute)`, sql`true`)
    .where(
      and(
        eq(tokenCalls.accountId, accountId),
        gte(tokenCalls.hour, since),
        apiKeyId === null ? undefined : inArray(tokenCalls.tokenId, ofKey),
      ),
    )
    .groupBy(tokenCalls.hour, sql`m.minute`)
    .having(sql`sum(m.calls) > 0`);
  return rows.map(({ calls }) => calls);
}

type OfTokens = { tokenIds: readonly number[]; since: Date };

/** The calls of tokens in each hour since one began, with those of each minute. */
export async function listRecentHours(
  db: Db,
  accountId: AccountId,
  { tokenIds, since }: OfTokens,
): Promise<{ tokenId: number; hour: Date; calls: number; minutes: number[] }[]> {
  const { tokenId, hour, calls, minutes } = tokenCalls;
  return await db
    .select({ tokenId, hour, calls, minutes })
    .from(tokenCalls)
    .where(isOfTokens(accountId, { tokenIds, since }));
}

/** Each token's last call since a moment, and the longest pause; none for unused tokens. */
export async function listTokenPauses(
  db: Db,
  accountId: AccountId,
  ofTokens: OfTokens,
): Promise<{ tokenId: number; lastAt: Date; longestMs: number }[]> {
  const { tokenId, hour, firstAt, lastAt } = tokenCalls;
  const hours = db
    .select({
      tokenId,
      lastAt,
      pause: sql`${firstAt} - lag(${lastAt}) over (partition by ${tokenId} order by ${hour})`.as(
        'pause',
      ),
    })
    .from(tokenCalls)
    .where(isOfTokens(accountId, ofTokens))
    .as('hours');
  const rows = await db
    .select({
      tokenId: hours.tokenId,
      lastMs: sqlMilliseconds(sql`max(${hours.lastAt})`).mapWith(Number),
      longestMs: sqlMilliseconds(sql`coalesce(max(${hours.pause}), '0')`).mapWith(Number),
    })
    .from(hours)
    .groupBy(hours.tokenId);
  return rows.map(({ lastMs, ...row }) => ({ ...row, lastAt: new Date(lastMs) }));
}

function isOfTokens(accountId: AccountId, { tokenIds, since }: OfTokens) {
  return and(
    eq(tokenCalls.accountId, accountId),
    inArray(tokenCalls.tokenId, [...tokenIds]),
    gte(tokenCalls.hour, since),
  );
}

/**
 * Who called with tokens since an hour began, the latest first, without calls from outside the
 * networks of the key. The others of each token have no address.
 */
export async function listRecentCallers(
  db: Db,
  accountId: AccountId,
  { keyIds, tokenIds, since }: OfTokens & { keyIds: readonly number[] },
) {
  const { tokenId, address, userAgent, lastAt } = callers;
  const newest = (value: PgColumn) => sql`(array_agg(${value} order by ${lastAt} desc))[1]`;
  const rows = await db
    .select({
      tokenId,
      address,
      userAgent,
      calls: sql`sum(${callers.calls})`.mapWith(Number),
      lastMs: sqlMilliseconds(sql`max(${lastAt})`).mapWith(Number),
      lastRoute: newest(callers.lastRoute).mapWith(String),
      lastMethod: newest(callers.lastMethod).mapWith(String),
      lastStatus: newest(callers.lastStatus).mapWith(Number),
    })
    .from(callers)
    .where(
      and(
        eq(callers.accountId, accountId),
        inArray(callers.apiKeyId, [...keyIds]),
        inArray(tokenId, [...tokenIds]),
        gte(callers.hour, since),
        lt(callers.turnedAway, callers.calls),
      ),
    )
    .groupBy(tokenId, address, userAgent)
    .orderBy(sql`max(${lastAt}) desc`);
  return rows.map(({ lastMs, ...row }) => ({ ...row, lastAt: new Date(lastMs) }));
}

export type KeptFailedCall = {
  requestId: string;
  at: Date;
  route: string | null;
  method: string;
  status: number;
  reason: CallProblem;
  address: string;
  userAgent: string | null;
  keyUuid: string;
  keyName: string;
};

/** The newest refused or failed calls of a key, or with a request id, newest first. */
export async function listFailedCallRows(
  db: Db,
  accountId: AccountId,
  by: { apiKeyId: number } | { requestId: string },
): Promise<KeptFailedCall[]> {
  const rows = await db
    .select({ call: failedCalls, keyUuid: apiKeys.uuid, keyName: apiKeys.name })
    .from(failedCalls)
    .innerJoin(apiKeys, eq(apiKeys.id, failedCalls.apiKeyId))
    .where(
      and(
        eq(failedCalls.accountId, accountId),
        'apiKeyId' in by
          ? eq(failedCalls.apiKeyId, by.apiKeyId)
          : eq(failedCalls.requestId, by.requestId),
      ),
    )
    .orderBy(desc(failedCalls.id))
    .limit(10);
  return rows.map(({ call, ...key }) => ({ ...call, ...key }));
}

/** The tables of calls, each with the column that says when the calls were made. */
export const callTables = [
  { table: failedCalls, at: failedCalls.at },
  { table: callCounts, at: callCounts.hour },
  { table: callers, at: callers.hour },
  { table: tokenCalls, at: tokenCalls.hour },
] as const;

/** Removes up to `limit` such rows from before a moment, of all accounts. @returns how many */
export async function deleteCallsBefore(
  db: Db,
  { table, at }: (typeof callTables)[number],
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const some = db
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(lt(at, before))
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(table)
    .where(sql`ctid = any(array(${some}))`)
    .returning({ one: sql`1` });
  return removed.length;
}
