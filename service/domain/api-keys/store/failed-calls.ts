import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { CallFailure } from '#lib/contract/api-keys/failed-calls.ts';
import type { Db } from '../../../db/open.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { failedCallCounts, failedCalls } from '../../../db/schema/api-keys/failed-calls.ts';
import type { AccountId } from '../../account-id.ts';

/** How many refused or failed calls of a key are kept by their request id. */
export const maxFailedCalls = 1000;

type OfKey = { accountId: string; apiKeyId: number };

export type FailedCallRow = OfKey & {
  requestId: string;
  at: Date;
  route: string | null;
  method: string;
  status: number;
  reason: CallFailure;
  address: string;
  userAgent: string | null;
};

export type FailedCallCount = OfKey & {
  reason: CallFailure;
  hour: Date;
  calls: number;
  lastAt: Date;
  lastAddress: string;
};

/**
 * Writes calls and counts in one statement, leaving out keys that were erased. Counts are locked in
 * the order of their key, so that two processes cannot deadlock.
 */
export async function recordFailedCalls(
  db: Db,
  { calls, counts }: { calls: readonly FailedCallRow[]; counts: readonly FailedCallCount[] },
): Promise<void> {
  await db.execute(sql`
    with kept as (
      insert into ${failedCalls}
        (account_id, api_key_id, request_id, at, route, method, status, reason, address, user_agent)
      select c.account, c.key, c.request, c.at, c.route, c.method, c.status, c.reason, c.address, c.agent
      from ${rowsFrom(
        calls.map((call) => ({
          account: call.accountId,
          key: call.apiKeyId,
          request: call.requestId,
          at: call.at,
          route: call.route,
          method: call.method,
          status: call.status,
          reason: call.reason,
          address: call.address,
          agent: call.userAgent,
        })),
        {
          account: 'uuid',
          key: 'int',
          request: 'text',
          at: 'timestamptz',
          route: 'text',
          method: 'text',
          status: 'int',
          reason: 'text',
          address: 'text',
          agent: 'text',
        },
      )} as c join ${apiKeys} as k on k.account_id = c.account and k.id = c.key
      order by c.at
    )
    insert into ${failedCallCounts} as known
      (account_id, api_key_id, reason, hour, calls, last_at, last_address)
    select c.account, c.key, c.reason, c.hour, c.calls, c.at, c.address
    from ${rowsFrom(
      counts.map((count) => ({
        account: count.accountId,
        key: count.apiKeyId,
        reason: count.reason,
        hour: count.hour,
        calls: count.calls,
        at: count.lastAt,
        address: count.lastAddress,
      })),
      {
        account: 'uuid',
        key: 'int',
        reason: 'text',
        hour: 'timestamptz',
        calls: 'int',
        at: 'timestamptz',
        address: 'text',
      },
    )} as c join ${apiKeys} as k on k.account_id = c.account and k.id = c.key
    order by c.account, c.key, c.reason, c.hour
    on conflict (account_id, api_key_id, reason, hour) do update
    set calls = known.calls + excluded.calls,
        last_address = case when excluded.last_at >= known.last_at
          then excluded.last_address else known.last_address end,
        last_at = greatest(known.last_at, excluded.last_at)`);
}

/** Removes the calls of a key beyond the newest 1,000. */
export async function deleteFailedCallsBeyond(db: Db, { accountId, apiKeyId }: OfKey) {
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

/** The counts of a key since an hour began, newest first. */
export async function listFailedCallCounts(
  db: Db,
  { accountId, apiKeyId, since }: { accountId: AccountId; apiKeyId: number; since: Date },
): Promise<FailedCallCount[]> {
  return await db
    .select()
    .from(failedCallCounts)
    .where(
      and(
        eq(failedCallCounts.accountId, accountId),
        eq(failedCallCounts.apiKeyId, apiKeyId),
        gte(failedCallCounts.hour, since),
      ),
    )
    .orderBy(desc(failedCallCounts.hour));
}

export type KeptFailedCall = FailedCallRow & { keyUuid: string; keyName: string };

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

/** Removes up to `limit` calls from before a moment, of all accounts. @returns how many */
export async function deleteFailedCalls(db: Db, before: Date, limit: number): Promise<number> {
  const { accountId, apiKeyId, id } = failedCalls;
  const some = db
    .select({ accountId, apiKeyId, id })
    .from(failedCalls)
    .where(lt(failedCalls.at, before))
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(failedCalls)
    .where(sql`(account_id, api_key_id, id) in ${some}`)
    .returning({ id });
  return removed.length;
}

/** Removes up to `limit` counts of hours before a moment, of all accounts. @returns how many */
export async function deleteFailedCallCounts(db: Db, before: Date, limit: number): Promise<number> {
  const { accountId, apiKeyId, reason, hour } = failedCallCounts;
  const some = db
    .select({ accountId, apiKeyId, reason, hour })
    .from(failedCallCounts)
    .where(lt(hour, before))
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await db
    .delete(failedCallCounts)
    .where(sql`(account_id, api_key_id, reason, hour) in ${some}`)
    .returning({ hour });
  return removed.length;
}
