import { and, desc, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { maxCallersPerHour } from '#lib/contract/api-keys/usage.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { rowsOf } from '../../../db/statements/rows-from.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { apiKeyTokens, tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { callCounts, callers, failedCalls } from '../../../db/schema/api-keys/calls.ts';

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
  await tx.execute(sql`
    insert into ${tokenCalls} as known
      (account_id, token_id, hour, calls, first_at, last_at, minutes)
    select account_id, token_id, hour, calls, first_at, last_at, minutes
    from ${rowsOf(tokenCalls, rows)} as made
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
  await tx.execute(sql`
    insert into ${callCounts} as known
      (account_id, api_key_id, hour, route, method, problem, detail, outcome, calls, last_at,
       last_address)
    select account_id, api_key_id, hour, route, method, problem, detail, outcome, calls, last_at,
      last_address
    from ${rowsOf(callCounts, rows)} as made
    on conflict (account_id, api_key_id, hour, route, method, problem, detail) do update
    set calls = known.calls + excluded.calls,
        last_address = ${ofLatest('last_address')},
        last_at = greatest(known.last_at, excluded.last_at)`);
}

/** The column of whichever is later, what is stored or what is added. */
function ofLatest(column: `last_${string}`): SQL {
  return sql.raw(
    `case when excluded.last_at >= known.last_at then excluded.${column} else known.${column} end`,
  );
}

/** A caller beyond the first 50 of a key and hour is added to the others of its token. */
async function addCallers(tx: Tx, rows: readonly CallerRow[]): Promise<void> {
  if (rows.length === 0) return;
  const isStored = sql`exists (
    select from ${callers} as s
    where s.account_id = c.account_id and s.api_key_id = c.api_key_id and s.hour = c.hour
      and s.token_id = c.token_id and s.address = c.address and s.user_agent = c.user_agent
  )`;
  await tx.execute(sql`
    with made as (
      select c.*, ${isStored} as is_stored, (
        select count(*) from ${callers} as s
        where s.account_id = c.account_id and s.api_key_id = c.api_key_id and s.hour = c.hour
          and s.address <> ''
      ) as stored
      from ${rowsOf(callers, rows)} as c
    ), ranked as (
      select made.*, is_stored or stored + row_number() over (
        partition by account_id, api_key_id, hour, is_stored or address = ''
        order by calls desc, first_at
      ) <= ${maxCallersPerHour} as is_kept
      from made
    ), placed as (
      select ranked.*,
        case when is_kept then address else '' end as kept_address,
        case when is_kept then user_agent else '' end as kept_agent
      from ranked
    )
    insert into ${callers} as known
      (account_id, api_key_id, hour, token_id, address, user_agent, calls, turned_away, first_at,
       last_at, last_route, last_method, last_status)
    select account_id, api_key_id, hour, token_id, kept_address, kept_agent, sum(calls),
      sum(turned_away), min(first_at), max(last_at),
      (array_agg(last_route order by last_at desc))[1],
      (array_agg(last_method order by last_at desc))[1],
      (array_agg(last_status order by last_at desc))[1]
    from placed
    group by account_id, api_key_id, hour, token_id, kept_address, kept_agent
    on conflict (account_id, api_key_id, hour, token_id, address, user_agent) do update
    set calls = known.calls + excluded.calls,
        turned_away = known.turned_away + excluded.turned_away,
        first_at = least(known.first_at, excluded.first_at),
        last_route = ${ofLatest('last_route')},
        last_method = ${ofLatest('last_method')},
        last_status = ${ofLatest('last_status')},
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
    select c.account_id, c.api_key_id, c.request_id, c.at, c.route, c.method, c.status, c.reason,
      c.address, c.user_agent
    from ${rowsOf(failedCalls, rows)} as c
    join ${apiKeys} as k on k.account_id = c.account_id and k.id = c.api_key_id
    order by c.at`);
  const ofKey = columnsEqual(failedCalls, { accountId, apiKeyId });
  const oldestKept = db
    .select({ id: failedCalls.id })
    .from(failedCalls)
    .where(ofKey)
    .orderBy(desc(failedCalls.id))
    .offset(maxFailedCalls - 1)
    .limit(1);
  await db.delete(failedCalls).where(and(ofKey, lt(failedCalls.id, sql`${oldestKept}`)));
}
