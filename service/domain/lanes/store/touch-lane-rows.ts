import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { idsIn, notifyWorkers, asynchronousCommit } from './sql-parts.ts';

/** Whether a lane is neither due nor dirty yet. */
export function isUntouched(now: Date): SQL {
  return sql`case when owner is null then coalesce(lanes.wake_at > ${sqlInstant(now)}, true)
    else not is_dirty end`;
}

/** Makes the free lanes in `untouched` due, and marks the leased ones as dirty. */
export function markLanes(now: Date): SQL {
  return sql`
    update lanes set
      wake_at = case when owner is null then ${sqlInstant(now)} else wake_at end,
      is_dirty = owner is not null
    from untouched, relaxed where lanes.webhook_id = untouched.webhook_id
    returning lanes.webhook_id, owner is null as is_free, is_paused`;
}

/**
 * Makes free lanes due and marks leased ones as dirty. A lane that is already due or dirty is not
 * written and no worker is notified: the next claim or settlement reads its due deliveries. A claim
 * in progress does not, so a due lane that somebody is changing (`xmax` names the transaction that
 * locked or changed the row last) is locked first, and judged by what it is then.
 *
 * @returns the webhooks whose lanes somebody has locked, and which were skipped
 */
export async function touchLaneRows(
  db: Db,
  { webhookIds, now }: { webhookIds: readonly number[]; now: Date },
): Promise<number[]> {
  const { rows } = await db.execute<{ skipped: number[] }>(sql`
    with ${asynchronousCommit}, wanted as materialized (
      select webhook_id from lanes
      where webhook_id = any (${idsIn(webhookIds)}) and ${isToBeLocked(now)}
    ), locked as materialized (
      select webhook_id, ${isUntouched(now)} as is_untouched from lanes
      where webhook_id = any (array(select webhook_id from wanted)) and ${isToBeLocked(now)}
      order by webhook_id
      for update skip locked
    ), untouched as materialized (
      select webhook_id from locked where is_untouched
    ), touched as (${markLanes(now)})
    select array(
      select webhook_id from wanted where webhook_id not in (select webhook_id from locked)
    ) as skipped
    from (select count(*) from (${notifyWorkers(sql`touched`)}) as notified) as notified`);
  return rows[0]?.skipped ?? [];
}

function isToBeLocked(now: Date): SQL {
  return sql`(${isUntouched(now)} or lanes.xmax <> 0 and lanes.wake_at <= ${sqlInstant(now)})`;
}
