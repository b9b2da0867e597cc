import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { instant, news } from './sql-parts.ts';

/**
 * Makes free lanes due and marks leased ones dirty. Of a lane that is due or dirty already nothing
 * is written and nobody is told: who claims or settles it next reads what is due then.
 */
export async function touchLaneRows(
  db: Db,
  { webhookIds, now }: { webhookIds: readonly number[]; now: Date },
): Promise<void> {
  await db.execute(sql`
    with untouched as materialized (
      select webhook_id from lanes
      where webhook_id in (
          select value::int from json_array_elements_text(${JSON.stringify(webhookIds)}::json)
        )
        and case when owner is null then coalesce(wake_at > ${instant(now)}, true)
          else not is_dirty end
      order by webhook_id
      for update
    ), touched as (
      update lanes set
        wake_at = case when owner is null then ${instant(now)} else wake_at end,
        is_dirty = owner is not null
      from untouched where lanes.webhook_id = untouched.webhook_id
      returning lanes.webhook_id, owner is null as is_free, is_paused
    )
    ${news(sql`touched`)}`);
}
