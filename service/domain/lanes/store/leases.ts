import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import type { AttemptName } from '../completed-attempt.ts';
import { notifyWorkers } from './sql-parts.ts';

const askedColumns = {
  index: 'int',
  webhook_id: 'int',
  event_id: 'bigint',
  number: 'int',
  started_at: 'timestamptz',
};

/** Those of these attempts that the database contains. */
export async function findWrittenAttempts(
  db: Db,
  attempts: readonly AttemptName[],
): Promise<AttemptName[]> {
  if (attempts.length === 0) return [];
  const asked = attempts.map(({ webhookId, eventId, number, startedAt }, index) => ({
    index,
    webhook_id: webhookId,
    event_id: eventId,
    number,
    started_at: startedAt,
  }));
  const { rows } = await db.execute<{ index: number }>(sql`
    select index from ${rowsFrom(asked, askedColumns)} as asked
    where exists (
      select from attempts
      where attempts.webhook_id = asked.webhook_id and attempts.event_id = asked.event_id
        and attempts.number = asked.number and attempts.started_at = asked.started_at
    )`);
  return rows.flatMap(({ index }) => attempts[index] ?? []);
}

/** Renews the leases of the lanes that an owner knows it holds, and frees the rest of its lanes. */
export async function retakeLeases(
  db: Db,
  {
    owner,
    known,
    now,
    leaseEnd,
  }: { owner: string; known: readonly number[]; now: Date; leaseEnd: Date },
): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ leases: { webhook_id: number; lease: number }[] }>(sql`
    with own as materialized (
      select webhook_id, webhook_id in (
          select value::int from json_array_elements_text(${JSON.stringify(known)}::json)
        ) as is_known
      from lanes where owner = ${owner}::uuid
      order by webhook_id
      for update
    ), retaken as (
      update lanes set
        lease = lease + 1,
        owner = case when is_known then owner end,
        wake_at = case when is_known then ${sqlInstant(leaseEnd)} else ${sqlInstant(now)} end,
        is_dirty = is_known and is_dirty
      from own where lanes.webhook_id = own.webhook_id
      returning lanes.webhook_id, lease, is_known, is_paused
    ), freed as (
      select webhook_id, is_paused, true as is_free from retaken where not is_known
    )
    select (
        select coalesce(json_agg(json_build_object('webhook_id', webhook_id, 'lease', lease)), '[]')
        from retaken where is_known
      ) as leases,
      (select count(*)::int from (${notifyWorkers(sql`freed`)}) as notified) as notified`);
  return new Map((rows[0]?.leases ?? []).map(({ webhook_id: id, lease }) => [id, lease]));
}

/**
 * Frees the lanes of workers that are silent for too long, and records that; removes workers
 * without lanes.
 */
export async function freeLaneRowsOfSilentWorkers(
  db: Db,
  { owners, deadAfterMs, now }: { owners: readonly string[]; deadAfterMs: number; now: Date },
): Promise<number> {
  const { rows } = await db.execute<{ lanes: number }>(sql`
    with silent as materialized (
      select owner from workers
      where owner in (
          select value::uuid from json_array_elements_text(${JSON.stringify(owners)}::json)
        )
        and beats_at <= now() - ${deadAfterMs}::float8 * interval '1 millisecond'
      for update skip locked
    ), theirs as materialized (
      select webhook_id from lanes
      where owner in (select owner from silent)
      order by webhook_id
      for update skip locked
    ), freed as (
      update lanes set owner = null, is_dirty = false, wake_at = ${sqlInstant(now)}
      from theirs where lanes.webhook_id = theirs.webhook_id
      returning lanes.webhook_id, true as is_free, is_paused
    ), recorded as (
      insert into repairs (at, kind, webhooks)
      select ${sqlInstant(now)}, 'silent_worker', count(*) from freed having count(*) > 0
    ), forgotten as (
      delete from workers
      where owner in (select owner from silent) and not exists (
          select from lanes
          where lanes.owner = workers.owner and webhook_id not in (select webhook_id from theirs)
        )
    )
    select (select count(*)::int from freed) as lanes,
      (select count(*)::int from (${notifyWorkers(sql`freed`)}) as notified) as notified`);
  return rows[0]?.lanes ?? 0;
}

/**
 * Makes free lanes due if they have a delivery that was due before `dueBefore`, of which no worker
 * was notified. It steps through the index of pending deliveries from one webhook to the next, so
 * that lanes without any cost nothing, however many there are. It records what it found.
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
    ), repaired as materialized (
      select (select count(*)::int from woken) as lanes,
        (
          select count(*)::int from woken join deliveries using (webhook_id)
          where status = 'pending' and due_at < ${sqlInstant(dueBefore)}
        ) as deliveries
    ), recorded as (
      insert into repairs (at, kind, webhooks, deliveries)
      select ${sqlInstant(now)}, 'missed_wake_up', lanes, deliveries from repaired where lanes > 0
    )
    select lanes, deliveries,
      (select count(*)::int from (${notifyWorkers(sql`woken`)}) as notified) as notified
    from repaired`);
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
