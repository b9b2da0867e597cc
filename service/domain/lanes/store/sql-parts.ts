import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { changedPrefix, dueNews, laneChannel } from '../channel.ts';

// Lanes are always locked in the order of their webhooks' ids, or passed over when locked, so that
// these statements never wait for one another in a circle. Lists go in as JSON, one parameter
// whatever their length; numbers come out as int4 or float8, which both engines give as numbers.

/**
 * A common table expression that makes the commit of its statement asynchronous: the commit does not
 * wait for the disk, which is most of the time of a small write. The statement has to join `relaxed`
 * where it writes. Only for writes that may be lost if the server crashes: the sweep finds the due
 * deliveries of a lane whose touch, or whose lease, was lost.
 */
export const asynchronousCommit = sql`
  relaxed as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Notifies all workers once that something is due, and lease holders of which lanes changed. */
export function notifyWorkers(touched: SQL): SQL {
  return sql`
    select pg_notify(${laneChannel}, news) from (
      (select ${dueNews}::text as news from ${touched} where is_free and not is_paused limit 1)
      union all
      select ${changedPrefix}::text || string_agg(webhook_id::text, ',') from ${touched}
      where not is_free having count(*) > 0
    ) as notified`;
}

/**
 * Ids from a list in JSON, as an array. The planner estimates ten rows for an array and uses an index;
 * for a set that a function returns it estimates a hundred, and reads the whole table.
 */
export function idsIn(ids: readonly number[]): SQL {
  return sql`array(select value::int from json_array_elements_text(${JSON.stringify(ids)}::json))`;
}

export function instant(moment: Date): SQL {
  return sql`${moment.toISOString()}::timestamptz`;
}

export function milliseconds(expression: SQL): SQL {
  return sql`(extract(epoch from ${expression}) * 1000)::float8`;
}
