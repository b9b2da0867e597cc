import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { workers } from '../../db/schema/webhooks/lanes.ts';

/** The result of recording a heartbeat. */
export type HeartbeatResult = {
  /** Its heartbeats are regular: if those of others are missing, no outage here causes it. */
  isSteady: boolean;
  /** This worker has recorded a heartbeat before, and not too long ago. */
  wasAliveBefore: boolean;
  /** The owners (as in `lanes.owner`) whose last heartbeat is too old. */
  silent: string[];
  /** Milliseconds until it becomes steady or another worker becomes silent; null if neither will. */
  nextChangeMs: number | null;
};

/**
 * `now()` is the time at which the statement began, never later than the rows it reads: a worker
 * whose heartbeat arrived while this statement waited does not count as silent.
 */
export async function writeHeartbeat(
  db: Db,
  { owner, deadAfterMs }: { owner: string; deadAfterMs: number },
): Promise<HeartbeatResult> {
  const deadAfter = milliseconds(deadAfterMs);
  const gap = milliseconds(deadAfterMs / 2);
  const { rows } = await db.execute<{
    is_steady: boolean;
    was_alive_before: boolean;
    silent: string[];
    next_change_ms: number | null;
  }>(sql`
    with beat as (
      insert into workers as known (owner, started_at, beats_at, steady_since)
      values (${owner}::uuid, now(), now(), now())
      on conflict (owner) do update set
        beats_at = now(),
        steady_since = case
          when known.beats_at < now() - ${gap} then now() else known.steady_since
        end
      returning steady_since
    ), others as (
      select owner, beats_at, beats_at <= now() - ${deadAfter} as is_silent
      from workers where owner <> ${owner}::uuid
    )
    select steady_since <= now() - ${deadAfter} as is_steady,
      steady_since < now() as was_alive_before,
      (select coalesce(json_agg(owner), '[]') from others where is_silent) as silent,
      (extract(epoch from least(
        (select min(beats_at) from others where not is_silent),
        case when steady_since > now() - ${deadAfter} then steady_since end
      ) + ${deadAfter} - now()) * 1000)::float8 as next_change_ms
    from beat`);
  const [row] = rows;
  if (!row) throw new Error('The heartbeat statement returned no row.');
  return {
    isSteady: row.is_steady,
    wasAliveBefore: row.was_alive_before,
    silent: row.silent,
    nextChangeMs: row.next_change_ms,
  };
}

export async function deleteWorker(db: Db, owner: string): Promise<void> {
  await db.delete(workers).where(eq(workers.owner, owner));
}

function milliseconds(count: number): SQL {
  return sql`(${count}::float8 * interval '1 millisecond')`;
}
