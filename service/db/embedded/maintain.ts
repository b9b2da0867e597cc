import { getTableName, sql } from 'drizzle-orm';
import type { Logger } from '../../log/log.ts';
import { repeat } from '../../timing/repeat.ts';
import type { Repetition } from '../../timing/repeat.ts';
import { hotTables } from '../hot-tables.ts';
import type { Db } from '../open.ts';

/**
 * A checkpoint runs each minute in which something was written. With many writes a minute is too
 * long: the write-ahead log, which is at least twice as large as the data written, grows to its
 * largest size between two checkpoints, and keeps that size. So its growth is checked more often.
 */
const lookEveryMs = 1000;
const looksPerCheckpoint = 60;
const maxBytesLogged = 64 * 1024 * 1024;
const vacuumEveryMs = 600_000;

/** Does what a server does in the background: checkpoints and vacuum, to reuse log and rows. */
export function startMaintenance(options: { db: Db; log: Logger }): Repetition {
  const checkpointer = createCheckpointer(options.db);
  let looks = 0;
  // Separate jobs, so that a checkpoint can run between two tables of a long vacuum.
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

/** Runs a checkpoint if at least `minBytes` were logged since the last one, and says whether. */
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
      // Read after the checkpoint, because the checkpoint itself moves the position.
      lastPosition = await position();
      return true;
    },
  };
}

/** Vacuums one table at a time, so that calls can use the one connection in between. */
export async function vacuumHotTables(db: Db): Promise<void> {
  for (const table of hotTables) {
    await db.execute(sql`vacuum (analyze) ${sql.identifier(getTableName(table))}`);
  }
}
