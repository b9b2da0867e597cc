import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { notifyWorkers } from './sql-parts.ts';

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
