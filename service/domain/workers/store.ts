import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { workers } from '../../db/schema.ts';

/** What a worker learns when it says that it is there. */
export type Heard = {
  /** It has been there without a gap for so long that the silence of others is their own. */
  isSteady: boolean;
  /** It was there before, and was not silent for long. */
  isUnbroken: boolean;
  /** Workers that were silent for too long, by what their leases name. */
  silent: string[];
  /** In how many milliseconds it is steady, or another one silent; null if nothing is to come. */
  nextChangeMs: number | null;
};

/**
 * Now is when the statement begins, so never later than what it sees of others: a worker that was
 * heard of while it waited is not taken for a silent one.
 */
export async function writeHeartbeat(
  db: Db,
  { owner, deadAfterMs }: { owner: string; deadAfterMs: number },
): Promise<Heard> {
  const deadAfter = milliseconds(deadAfterMs);
  const gap = milliseconds(deadAfterMs / 2);
  const { rows } = await db.execute<{
    is_steady: boolean;
    is_unbroken: boolean;
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
      steady_since < now() as is_unbroken,
      (select coalesce(json_agg(owner), '[]') from others where is_silent) as silent,
      (extract(epoch from least(
        (select min(beats_at) from others where not is_silent),
        case when steady_since > now() - ${deadAfter} then steady_since end
      ) + ${deadAfter} - now()) * 1000)::float8 as next_change_ms
    from beat`);
  const [row] = rows;
  if (!row) throw new Error('A heartbeat gave no answer.');
  return {
    isSteady: row.is_steady,
    isUnbroken: row.is_unbroken,
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
