import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { asynchronousCommit, idsIn, notifyWorkers } from './sql-parts.ts';
import { selectTakenRows, withoutEmptyRow, type TakenRow } from './take-deliveries.ts';

/** Due lanes that a claim considers: enough that one account's do not hide another's. */
const consideredPerClaim = 1000;

/** Leases due lanes and takes their first deliveries. Accounts take turns, however many lanes. */
export async function claimDueLanes(
  db: Db,
  options: LeaseTerms & { now: Date; limit: number; skipsExpiredLeases: boolean },
): Promise<{ rows: TakenRow[]; nextWakeMs: number | null; isMoreDue: boolean }> {
  const { owner, limit } = options;
  // In a subquery, so that the planner does not estimate how many lanes are due at this moment.
  // Otherwise it would plan the statement again for each claim, which takes as long as the claim
  // itself, and with old statistics it would expect few due lanes when there are thousands.
  const now = sql`(select ${sqlInstant(options.now)})`;
  const isDue = sql`lanes.wake_at <= ${now} and not lanes.is_paused
    and (${options.skipsExpiredLeases}::boolean and lanes.owner <> ${owner}::uuid) is not true`;
  // The planner assumes that a third of all lanes is due. Because it knows the order and the limit,
  // it uses the index of due lanes nevertheless.
  const longestDue = (atMost: number) => sql`
    select webhook_id, account_id, wake_at from lanes
    where ${isDue} order by wake_at limit ${sql.raw(String(atMost))}`;
  const { rows } = await db.execute<
    { next_wake_ms: number | null; is_more_due: boolean } & TakenRow
  >(sql`
    with ${asynchronousCommit}, candidates as materialized (
      select webhook_id, wake_at, row_number() over (partition by account_id order by wake_at) as turn
      from (${longestDue(consideredPerClaim)}) as longest_due
    ), due as materialized (
      select webhook_id from candidates join lanes using (webhook_id)
      -- For a few ids in an array, lanes are found by their index (see idsIn).
      where lanes.webhook_id = any (array(select webhook_id from candidates)) and ${isDue}
      order by turn, candidates.wake_at
      limit ${limit}
      for update of lanes skip locked
    ), held as (${leaseLanes(sql`due`, options)}
    ), taken as (${selectTakenRows(options.now)}), next as (
      select
        ${sqlMilliseconds(sql`(
          select wake_at from lanes where wake_at > ${now} and not is_paused and owner is null
          order by wake_at limit 1
        )`)} as next_wake_ms,
        exists (
          select from (${longestDue(consideredPerClaim + 1)}) as longest_due
          where webhook_id not in (select webhook_id from due)
        ) as is_more_due
    )
    select * from next left join taken on true`);
  return {
    rows: withoutEmptyRow(rows),
    nextWakeMs: rows[0]?.next_wake_ms ?? null,
    isMoreDue: rows[0]?.is_more_due ?? false,
  };
}

/**
 * Leases those of these lanes that are free, takes the first deliveries of each, and wakes the
 * others. It also wakes a lane that changed after the statement’s snapshot: deliveries are read
 * as of the snapshot, and others may have been sent or queued since.
 *
 * @returns the deliveries, and the webhooks whose lanes were claimed or woken, without those
 *   whose lanes someone has locked
 */
export async function claimOrWakeLaneRows(
  db: Db,
  { webhookIds, now, ...terms }: LeaseTerms & { webhookIds: readonly number[]; now: Date },
): Promise<{ rows: TakenRow[]; handled: number[] }> {
  const { rows } = await db.execute<{ handled: number[] } & TakenRow>(sql`
    with ${asynchronousCommit}, seen as materialized (
      select webhook_id, lease, wake_at from lanes where webhook_id = any (${idsIn(webhookIds)})
    ), locked as materialized (
      select lanes.webhook_id, ${needsWaking(now)} as needs_waking,
        owner is null and not is_paused and lanes.lease = seen.lease
          and lanes.wake_at is not distinct from seen.wake_at as is_free
      from lanes join seen using (webhook_id)
      -- For a few ids in an array, lanes are found by their index (see idsIn).
      where lanes.webhook_id = any (array(select webhook_id from seen))
      order by lanes.webhook_id
      -- With a limit that it does not know, the planner expects few lanes, and uses indexes.
      limit ${webhookIds.length}
      for update of lanes skip locked
    ), free as materialized (
      select webhook_id from locked where is_free
    ), held as (${leaseLanes(sql`free`, terms)}), to_wake as materialized (
      select webhook_id from locked where needs_waking and not is_free
    ), woken as (${markLanes(now)}), taken as (${selectTakenRows(now)})
    select array(select webhook_id from locked) as handled, taken.*
    from (select count(*) from (${notifyWorkers(sql`woken`)}) as notified) as notified
    left join taken on true`);
  return {
    rows: withoutEmptyRow(rows),
    handled: rows[0]?.handled ?? [],
  };
}

/** Whether a lane is neither due nor dirty yet. */
function needsWaking(now: Date): SQL {
  return sql`case when owner is null then coalesce(lanes.wake_at > ${sqlInstant(now)}, true)
    else not is_dirty end`;
}

/** Makes the free lanes in `to_wake` due, and marks the leased ones as dirty. */
function markLanes(now: Date): SQL {
  return sql`
    update lanes set
      wake_at = case when owner is null then ${sqlInstant(now)} else wake_at end,
      is_dirty = owner is not null
    from to_wake, relaxed where lanes.webhook_id = to_wake.webhook_id
    returning lanes.webhook_id, owner is null as is_free, is_paused`;
}

/**
 * Makes free lanes due and marks leased ones as dirty. A lane that is already due or dirty is not
 * written and no worker is notified: the next claim or completion reads its due deliveries. A claim
 * in progress does not, so a due lane that someone is changing (`xmax` names the transaction that
 * locked or changed the row last) is locked first, and judged by what it is then.
 *
 * @returns the webhooks whose lanes someone has locked, and which were skipped
 */
export async function wakeLaneRows(
  db: Db,
  { webhookIds, now }: { webhookIds: readonly number[]; now: Date },
): Promise<number[]> {
  const { rows } = await db.execute<{ skipped: number[] }>(sql`
    with ${asynchronousCommit}, wanted as materialized (
      select webhook_id from lanes
      where webhook_id = any (${idsIn(webhookIds)}) and ${isToBeLocked(now)}
    ), locked as materialized (
      select webhook_id, ${needsWaking(now)} as needs_waking from lanes
      where webhook_id = any (array(select webhook_id from wanted)) and ${isToBeLocked(now)}
      order by webhook_id
      for update skip locked
    ), to_wake as materialized (
      select webhook_id from locked where needs_waking
    ), woken as (${markLanes(now)})
    select array(
      select webhook_id from wanted where webhook_id not in (select webhook_id from locked)
    ) as skipped
    from (select count(*) from (${notifyWorkers(sql`woken`)}) as notified) as notified`);
  return rows[0]?.skipped ?? [];
}

function isToBeLocked(now: Date): SQL {
  return sql`(${needsWaking(now)} or lanes.xmax <> 0 and lanes.wake_at <= ${sqlInstant(now)})`;
}

/** How a worker leases lanes, and how many deliveries and bytes of each it takes. */
type LeaseTerms = { owner: string; leaseEnd: Date; maxDeliveries: number; bytes: number };

/**
 * Leases the lanes in `chosen`, and returns the columns that `taken` needs. The commit may be
 * asynchronous, so the statement must include `asynchronousCommit`.
 */
function leaseLanes(chosen: SQL, { owner, leaseEnd, maxDeliveries, bytes }: LeaseTerms): SQL {
  return sql`
    update lanes set owner = ${owner}::uuid, lease = lease + 1,
      wake_at = ${sqlInstant(leaseEnd)}, is_dirty = false
    from ${chosen}, relaxed where lanes.webhook_id = ${chosen}.webhook_id
    returning lanes.webhook_id, lanes.account_id, lease, failure_count, is_for_tests,
      '-infinity'::timestamptz as after_due_at, 0::bigint as after_event_id, ${maxDeliveries}::int as max_deliveries,
      ${bytes}::int as bytes, '{}'::bigint[] as held_ids`;
}
