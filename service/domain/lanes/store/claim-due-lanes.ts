import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { instant, asynchronousCommit } from './sql-parts.ts';
import { taken } from './taken-rows.ts';
import type { TakenRow } from './taken-rows.ts';

/** Of the lanes that are due: enough that those of one account do not hide another's. */
const consideredPerClaim = 1000;

/**
 * Leases due lanes and takes the first deliveries of each. Accounts take turns: of many lanes of one
 * and a single lane of another that are due, the single one is among the first.
 */
export async function claimDueLanes(
  db: Db,
  about: {
    owner: string;
    now: Date;
    leaseEnd: Date;
    limit: number;
    room: number;
    bytes: number;
    sparesOthers: boolean;
  },
): Promise<{ rows: TakenRow[]; nextWakeMs: number | null; isMoreDue: boolean }> {
  const { owner, now, leaseEnd, limit, room, bytes } = about;
  const isSpared = sql`(${about.sparesOthers}::boolean and owner <> ${owner}::uuid)`;
  const { rows } = await db.execute<
    { next_wake_ms: number | null; is_more_due: boolean } & TakenRow
  >(sql`
    with ${asynchronousCommit}, candidates as materialized (
      select webhook_id, wake_at, row_number() over (partition by account_id order by wake_at) as turn
      from (
        select webhook_id, account_id, wake_at from lanes
        where wake_at <= ${instant(now)} and not is_paused and ${isSpared} is not true
        order by wake_at
        limit ${consideredPerClaim}
      ) as longest_due
    ), due as materialized (
      select webhook_id from candidates join lanes using (webhook_id)
      where lanes.wake_at <= ${instant(now)} and not lanes.is_paused and ${isSpared} is not true
      order by turn, candidates.wake_at
      limit ${limit}
      for update of lanes skip locked
    ), held as (
      update lanes set owner = ${owner}::uuid, lease = lease + 1,
        wake_at = ${instant(leaseEnd)}, is_dirty = false
      from due, relaxed where lanes.webhook_id = due.webhook_id
      returning lanes.webhook_id, account_id, lease, failure_count,
        '-infinity'::timestamptz as after_due_at, 0::bigint as after_event_id, ${room}::int as room,
        ${bytes}::int as bytes, '{}'::bigint[] as held_ids
    ), taken as (${taken(now)}), next as (
      select (extract(epoch from min(wake_at)) * 1000)::float8 as next_wake_ms,
        exists (
          select from lanes
          where wake_at <= ${instant(now)} and not is_paused and ${isSpared} is not true
            and webhook_id not in (select webhook_id from due)
        ) as is_more_due
      from lanes where wake_at > ${instant(now)} and not is_paused and owner is null
    )
    select * from next left join taken on true`);
  return {
    rows: rows.filter((row) => (row.webhook_id as number | null) !== null),
    nextWakeMs: rows[0]?.next_wake_ms ?? null,
    isMoreDue: rows[0]?.is_more_due ?? false,
  };
}
