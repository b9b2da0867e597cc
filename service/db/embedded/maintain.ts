import { getTableName, sql } from 'drizzle-orm';
import type { Logger } from '../../log/log.ts';
import { repeat } from '../../repeat.ts';
import type { Repetition } from '../../repeat.ts';
import { hotTables } from '../hot-tables.ts';
import type { Db } from '../open.ts';

/**
 * A checkpoint comes each minute in which something was written. Under a fast writer a minute is
 * too long: the log, which is twice and more of what is written, takes its greatest length between
 * two checkpoints and keeps it. So its growth is looked at in between.
 */
const lookEveryMs = 1000;
const looksPerCheckpoint = 60;
const maxBytesLogged = 64 * 1024 * 1024;
const vacuumEveryMs = 600_000;
/**
 * Does for the embedded database what a server's own processes do elsewhere: checkpoints, so that
 * its log is reused rather than growing, and vacuum, so that dead rows are.
 */
export function startMaintenance(options: { db: Db; log: Logger }): Repetition {
  const checkpointer = createCheckpointer(options.db);
  let looks = 0;
  // Separate jobs: between two tables of a long vacuum a checkpoint gets its turn.
  const jobs = [
    repeat({
      log: options.log,
      failure: 'checkpoint failed',
      everyMs: lookEveryMs,
      async act() {
        looks += 1;
        await checkpointer.run(looks % looksPerCheckpoint === 0 ? 1 : maxBytesLogged);
      },
    }),
    repeat({
      log: options.log,
      failure: 'vacuum failed',
      everyMs: vacuumEveryMs,
      act: () => vacuumHotTables(options.db),
    }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** Checkpoints if at least `minBytes` were logged since the last one; returns whether it did. */
export function createCheckpointer(db: Db): { run(minBytes?: number): Promise<boolean> } {
  let lastPosition = 0;
  const position = async () => {
    const { rows } = await db.execute<{ bytes: number }>(
      sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
    );
    return rows[0]?.bytes ?? 0;
  };
  return {
    async run(minBytes = 1) {
      if ((await position()) - lastPosition < minBytes) return false;
      await db.execute(sql`checkpoint`);
      // Read after it, since a checkpoint itself moves the position.
      lastPosition = await position();
      return true;
    },
  };
}

/** One table at a time, so that calls get their turn on the one connection between two. */
export async function vacuumHotTables(db: Db): Promise<void> {
  for (const table of hotTables) {
    await db.execute(sql`vacuum (analyze) ${sql.identifier(getTableName(table))}`);
  }
}
