import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { maxCallersPerHour } from '#lib/contract/api-keys/usage.ts';
import type { CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import type { CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens, tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { callCounts, callers, failedCalls } from '../../../db/schema/api-keys/calls.ts';
import type { AccountId } from '../../account-id.ts';

/** How many refused or failed calls of a key are kept by their request id. */
export const maxFailedCalls = 1000;

export type TokenHourRow = typeof tokenCalls.$inferSelect;
export type CallCountRow = typeof callCounts.$inferInsert;
export type CallerRow = typeof callers.$inferInsert;
export type FailedCallRow = typeof failedCalls.$inferInsert;

/** Counts of calls since the last batch, as the next batch adds them. */
export type CallsToWrite = {
  tokens: TokenHourRow[];
  counts: CallCountRow[];
  callers: CallerRow[];
};

/**
 * Adds counts of calls to those that are stored, leaving out keys that were erased. Batches wait
 * for one another, in all processes, so that together they store no more callers of a key and hour
 * than one process would. Keys are locked before tokens, and both in id order, as by changes of
 * keys.
 */
export async function recordCalls(db: Db, calls: CallsToWrite): Promise<void> {
  const keyIds = [...new Set(calls.counts.map(({ apiKeyId }) => apiKeyId))];
  const tokenIds = calls.tokens.map(({ tokenId }) => tokenId);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('key_calls', 0))`);
    const keys = await lockExisting(tx, apiKeys, keyIds);
    const tokens = await lockExisting(tx, apiKeyTokens, tokenIds);
    const isOfKey = ({ apiKeyId }: { apiKeyId: number }) => keys.has(apiKeyId);
    await addTokenCalls(
      tx,
      calls.tokens.filter(({ tokenId }) => tokens.has(tokenId)),
    );
    await addCallCounts(tx, calls.counts.filter(isOfKey));
    await addCallers(tx, calls.callers.filter(isOfKey));
  });
}

/** Keeps rows from being removed until the transaction ends. @returns the ids of those that exist */
async function lockExisting(
  tx: Tx,
  table: typeof apiKeys | typeof apiKeyTokens,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { id } = table;
  const rows = await tx
    .select({ id })
    .from(table)
    .where(inArray(id, [...ids]))
    .orderBy(id)
    .for('key share');
  return new Set(rows.map((row) => row.id));
}

async function addTokenCalls(tx: Tx, rows: readonly TokenHourRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = {
    account: 'uuid',
    token: 'int',
    hour: 'timestamptz',
    calls: 'int',
    first_at: 'timestamptz',
    last_at: 'timestamptz',
    minutes: 'int[]',
  };
  const list = rows.map((row) => ({
    account: row.accountId,
    token: row.tokenId,
    hour: row.hour,
    calls: row.calls,
    first_at: row.firstAt,
    last_at: row.lastAt,
    minutes: row.minutes,
  }));
  await tx.execute(sql`
    insert into ${tokenCalls} as known
      (account_id, token_id, hour, calls, first_at, last_at, minutes)
    select account, token, hour, calls, first_at, last_at, minutes
    from ${rowsFrom(list, columns)} as made
    on conflict (account_id, token_id, hour) do update
    set calls = known.calls + excluded.calls,
        first_at = least(known.first_at, excluded.first_at),
        last_at = greatest(known.last_at, excluded.last_at),
        minutes = (
          select array_agg(coalesce(a, 0) + coalesce(b, 0) order by minute)
          from unnest(known.minutes, excluded.minutes) with ordinality as m (a, b, minute)
        )`);
}

async function addCallCounts(tx: Tx, rows: readonly CallCountRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = {
    account: 'uuid',
    key: 'int',
    hour: 'timestamptz',
    route: 'text',
    method: 'text',
    problem: 'text',
    detail: 'text',
    outcome: 'text',
    calls: 'int',
    at: 'timestamptz',
    address: 'text',
  };
  const list = rows.map((row) => ({
    account: row.accountId,
    key: row.apiKeyId,
    hour: row.hour,
    route: row.route,
    method: row.method,
    problem: row.problem,
    detail: row.detail,
    outcome: row.outcome,
    calls: row.calls,
    at: row.lastAt,
    address: row.lastAddress,
  }));
  await tx.execute(sql`
    insert into ${callCounts} as known
      (account_id, api_key_id, hour, route, method, problem, detail, outcome, calls, last_at,
       last_address)
    select account, key, hour, route, method, problem, detail, outcome, calls, at, address
    from ${rowsFrom(list, columns)} as made
    on conflict (account_id, api_key_id, hour, route, method, problem, detail) do update
    set calls = known.calls + excluded.calls,
        last_address = case when excluded.last_at >= known.last_at
          then excluded.last_address else known.last_address end,
        last_at = greatest(known.last_at, excluded.last_at)`);
}

/** A caller beyond the first 50 of a key and hour is added to the others of its token. */
async function addCallers(tx: Tx, rows: readonly CallerRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = {
    account: 'uuid',
    key: 'int',
    hour: 'timestamptz',
    token: 'int',
    address: 'text',
    agent: 'text',
    calls: 'int',
    away: 'int',
    first_at: 'timestamptz',
    at: 'timestamptz',
    route: 'text',
    method: 'text',
    status: 'int',
  };
  const list = rows.map((row) => ({
    account: row.accountId,
    key: row.apiKeyId,
    hour: row.hour,
    token: row.tokenId,
    address: row.address,
    agent: row.userAgent,
    calls: row.calls,
    away: row.turnedAway,
    first_at: row.firstAt,
    at: row.lastAt,
    route: row.lastRoute,
    method: row.lastMethod,
    status: row.lastStatus,
  }));
  const isStored = sql`exists (
    select from ${callers} as s
    where s.account_id = c.account and s.api_key_id = c.key and s.hour = c.hour
      and s.token_id = c.token and s.address = c.address and s.user_agent = c.agent
  )`;
  await tx.execute(sql`
    with made as (
      select c.*, ${isStored} as is_stored, (
        select count(*) from ${callers} as s
        where s.account_id = c.account and s.api_key_id = c.key and s.hour = c.hour
          and s.address <> ''
      ) as stored
      from ${rowsFrom(list, columns)} as c
    ), ranked as (
      select made.*, is_stored or stored + row_number() over (
        partition by account, key, hour, is_stored or address = '' order by calls desc, first_at
      ) <= ${maxCallersPerHour} as is_kept
      from made
    ), placed as (
      select account, key, hour, token,
        case when is_kept then address else '' end as address,
        case when is_kept then agent else '' end as agent,
        calls, away, first_at, at, route, method, status
      from ranked
    )
    insert into ${callers} as known
      (account_id, api_key_id, hour, token_id, address, user_agent, calls, turned_away, first_at,
       last_at, last_route, last_method, last_status)
    select account, key, hour, token, address, agent, sum(calls), sum(away), min(first_at), max(at),
      (array_agg(route order by at desc))[1], (array_agg(method order by at desc))[1],
      (array_agg(status order by at desc))[1]
    from placed
    group by account, key, hour, token, address, agent
    on conflict (account_id, api_key_id, hour, token_id, address, user_agent) do update
    set calls = known.calls + excluded.calls,
        turned_away = known.turned_away + excluded.turned_away,
        first_at = least(known.first_at, excluded.first_at),
        last_route = case when excluded.last_at >= known.last_at
          then excluded.last_route else known.last_route end,
        last_method = case when excluded.last_at >= known.last_at
          then excluded.last_method else known.last_method end,
        last_status = case when excluded.last_at >= known.last_at
          then excluded.last_status else known.last_status end,
        last_at = greatest(known.last_at, excluded.last_at)`);
}

/** Writes failed calls of one key, unless it was erased, and keeps its newest 1,000. */
export async function recordFailedCalls(db: Db, rows: readonly FailedCallRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { accountId, apiKeyId } = first;
  await db.execute(sql`
    insert into ${failedCalls}
      (account_id, api_key_id, request_id, at, route, method, status, reason, address, user_agent)
    select k.account_id, k.id, c.request, c.at, c.route, c.method, c.status, c.reason, c.address,
      c.agent
    from ${rowsFrom(
      rows.map((call) => ({
        request: call.requestId,
        at: call.at,
        route: call.route ?? null,
        method: call.method,
        status: call.status,
        reason: call.reason,
        address: call.address,
        agent: call.userAgent ?? null,
      })),
      {
        request: 'text',
        at: 'timestamptz',
        route: 'text',
        method: 'text',
        status: 'int',
        reason: 'text',
        address: 'text',
        agent: 'text',
      },
    )} as c join ${apiKeys} as k on k.account_id = ${accountId} and k.id = ${apiKeyId}
    order by c.at`);
  const ofKey = and(eq(failedCalls.accountId, accountId), eq(failedCalls.apiKeyId, apiKeyId));
  const oldestKept = db
    .select({ id: failedCalls.id })
    .from(failedCalls)
    .where(ofKey)
    .orderBy(desc(failedCalls.id))
    .offset(maxFailedCalls - 1)
    .limit(1);
  await db.delete(failedCalls).where(and(ofKey, lt(failedCalls.id, sql`${oldestKept}`)));
}

type OfKey = { accountId: AccountId; apiKeyId: number };

/** The counts of a key since an hour began. */
export async function listCallCounts(
  db: Db,
  { accountId, apiKeyId, since }: OfKey & { since: Date },
): Promise<(typeof callCounts.$inferSelect)[]> {
  return await db
    .select()
    .from(callCounts)
    .where(
      and(
        eq(callCounts.accountId, accountId),
        eq(callCounts.apiKeyId, apiKeyId),
        gte(callCounts.hour, since),
      ),
    );
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
    .where(and(eq(callers.accountId, accountId), eq(callers.apiKeyId, apiKeyId)))
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
