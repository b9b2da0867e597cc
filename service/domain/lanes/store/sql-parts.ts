import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { changedLanesPrefix, lanesDueMessage, laneChannel } from '../channel.ts';

// Lanes are always locked in the order of their webhooks' ids, or skipped if locked, so that these
// statements cannot deadlock. A list of ids is one parameter regardless of its length, a JSON
// array. Numbers are returned as int4 or float8, which both engines convert to numbers.

/**
 * A common table expression that makes the commit of its statement asynchronous: the commit does
 * not wait for the disk, which is most of the time of a small write. The statement must join
 * `relaxed` where it writes. Use it only for writes that may be lost if the server crashes: the
 * sweep finds the due deliveries of a lane whose wake-up or lease was lost.
 */
export const asynchronousCommit = sql`
  relaxed as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Tells all workers once that a lane is due, and lease holders which of their lanes changed. */
export function notifyWorkers(woken: SQL): SQL {
  return sql`
    select pg_notify(${laneChannel}, message) from (
      (select ${lanesDueMessage}::text as message from ${woken} where is_free and not is_paused limit 1)
      union all
      select ${changedLanesPrefix}::text || string_agg(webhook_id::text, ',') from ${woken}
      where not is_free having count(*) > 0
    ) as notified`;
}

/**
 * An array of ids from a JSON list. For an array the planner estimates ten rows and uses an index;
 * for a set-returning function it estimates a hundred rows and reads the whole table.
 */
export function idsIn(ids: readonly number[]): SQL {
  return sql`array(select value::int from json_array_elements_text(${JSON.stringify(ids)}::json))`;
}
