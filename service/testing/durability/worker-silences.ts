import pg from 'pg';
import { workerPaces } from '../../delivery/worker-pace.ts';

/** The longest time from a dead worker's last heartbeat until others hold its lanes. */
const freedWithinMs = 5000;

const { heartbeatMs, deadAfterMs } = workerPaces.postgresql;

/**
 * From now on, records by the database's clock: how long the holder of a lease had been silent when
 * another worker freed the lease, how many leases expired and were claimed without being freed, and
 * the longest time between two heartbeats of a worker.
 */
export async function watchSilences(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`
    create table silences (ms int, is_freed boolean);
    create function note_silence() returns trigger language plpgsql as $$
    begin
      insert into silences
      select extract(epoch from clock_timestamp() - beats_at) * 1000, new.owner is null
      from workers where owner = old.owner;
      return new;
    end $$;
    create trigger note_silence before update of owner on lanes for each row
    when (old.owner is not null and new.owner is distinct from old.owner)
    execute function note_silence();
    create table gaps (ms int);
    create function note_gap() returns trigger language plpgsql as $$
    begin
      insert into gaps select extract(epoch from new.beats_at - old.beats_at) * 1000;
      return new;
    end $$;
    create trigger note_gap before update of beats_at on workers for each row
    execute function note_gap()`);
  return {
    async end() {
      // A worker that releases a lease itself has just recorded a heartbeat.
      const { rows } = await client.query<
        Record<'freed' | 'slowestMs' | 'ranOut' | 'maxGapMs', number>
      >(
        `select (count(*) filter (where is_freed and ms >= $1))::int as freed,
           max(ms) as "slowestMs", (count(*) filter (where not is_freed))::int as "ranOut",
           (select max(ms) from gaps) as "maxGapMs"
         from silences`,
        [deadAfterMs],
      );
      await client.end();
      const [row] = rows;
      if (!row) throw new Error('nothing was counted');
      return { ...row, allowedMs: freedWithinMs + latenessOf(row.maxGapMs) };
    },
  };
}

/**
 * How much later workers judge others on a machine on which heartbeats are this late. A worker that
 * was itself silent for half the time after which it declares others dead must wait for that time
 * again.
 */
function latenessOf(maxGapMs: number): number {
  if (maxGapMs > deadAfterMs / 2) return maxGapMs + deadAfterMs;
  return Math.max(0, maxGapMs - (heartbeatMs ?? 0));
}
