import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { notifyWorkers } from './sql-parts.ts';

/**
 * Frees the lanes of workers that have been silent for too long, and removes workers without lanes.
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
