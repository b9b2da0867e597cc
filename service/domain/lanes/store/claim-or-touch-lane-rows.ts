import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { leaseLanes } from './lease-lanes.ts';
import type { LeaseTerms } from './lease-lanes.ts';
import { asynchronousCommit, idsIn, notifyWorkers } from './sql-parts.ts';
import { selectTakenRows, withoutEmptyRow } from './select-taken-rows.ts';
import type { TakenRow } from './select-taken-rows.ts';
import { isUntouched, markLanes } from './touch-lane-rows.ts';

/**
 * Leases those of these lanes that are free, takes the first deliveries of each, and touches the
 * others. It also touches a lane that changed after the statement’s snapshot: deliveries are read
 * as of the snapshot, and others may have been sent or queued since.
 *
 * @returns the deliveries, and the webhooks whose lanes were claimed or touched, without those
 *   whose lanes somebody has locked
 */
export async function claimOrTouchLaneRows(
  db: Db,
  { webhookIds, now, ...terms }: LeaseTerms & { webhookIds: readonly number[]; now: Date },
): Promise<{ rows: TakenRow[]; handled: number[] }> {
  const { rows } = await db.execute<{ handled: number[] } & TakenRow>(sql`
    with ${asynchronousCommit}, seen as materialized (
      select webhook_id, lease, wake_at from lanes where webhook_id = any (${idsIn(webhookIds)})
    ), locked as materialized (
      select lanes.webhook_id, ${isUntouched(now)} as is_untouched,
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
    ), held as (${leaseLanes(sql`free`, terms)}), untouched as materialized (
      select webhook_id from locked where is_untouched and not is_free
    ), touched as (${markLanes(now)}), taken as (${selectTakenRows(now)})
    select array(select webhook_id from locked) as handled, taken.*
    from (select count(*) from (${notifyWorkers(sql`touched`)}) as notified) as notified
    left join taken on true`);
  return {
    rows: withoutEmptyRow(rows),
    handled: rows[0]?.handled ?? [],
  };
}
