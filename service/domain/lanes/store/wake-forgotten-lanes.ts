import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { notifyWorkers } from './sql-parts.ts';

/**
 * Makes free lanes due if they have a delivery that was due before `dueBefore`, of which no worker
 * was notified. It steps through the index of pending deliveries from one webhook to the next, so
 * that lanes without any cost nothing, however many there are.
 */
export async function wakeForgottenLanes(
  db: Db,
  { now, dueBefore }: { now: Date; dueBefore: Date },
): Promise<{ deliveries: number; lanes: number }> {
  const { rows } = await db.execute<{ deliveries: number; lanes: number }>(sql`
    with recursive pending as (
      (${firstPending(sql`true`)})
      union all
      select next.* from pending, lateral (
        ${firstPending(sql`deliveries.webhook_id > pending.webhook_id`)}
      ) as next
    ), forgotten as materialized (
      select webhook_id from lanes join pending using (webhook_id)
      where pending.due_at < ${sqlInstant(dueBefore)}
        and owner is null and not is_paused and coalesce(wake_at > ${sqlInstant(now)}, true)
      order by webhook_id
      for update of lanes skip locked
    ), woken as (
      update lanes set wake_at = ${sqlInstant(now)}
      from forgotten where lanes.webhook_id = forgotten.webhook_id
      returning lanes.webhook_id, true as is_free, is_paused
    )
    select (select count(*)::int from woken) as lanes,
      (
        select count(*)::int from woken join deliveries using (webhook_id)
        where status = 'pending' and due_at < ${sqlInstant(dueBefore)}
      ) as deliveries,
      (select count(*)::int from (${notifyWorkers(sql`woken`)}) as notified) as notified`);
  return { deliveries: rows[0]?.deliveries ?? 0, lanes: rows[0]?.lanes ?? 0 };
}

/** The first webhook with pending deliveries, and when its first delivery is due. */
function firstPending(condition: SQL): SQL {
  // Only the index of pending deliveries has this order.
  return sql`
    select webhook_id, due_at from deliveries
    where status = 'pending' and ${condition}
    order by webhook_id, due_at, event_id
    limit 1`;
}
