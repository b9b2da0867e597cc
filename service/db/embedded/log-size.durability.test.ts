import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { TestLog } from '../../testing/logger.ts';
import { startMaintenance } from './maintain.ts';
import { openDatabase } from '../open.ts';
import type { Db } from '../open.ts';

/** Without checkpoints in between, this would exceed the limit. */
const writtenMb = 1000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-size-'));
});
afterEach(() => rm(folder, { recursive: true }));

// The normal run tests the checkpoints themselves, in `open-pglite.test.ts`.
test.runIf(isFullRun)(
  `the log of the embedded database stays under 300 MB while ${writtenMb} MB are written as fast as possible`,
  async ({ annotate }) => {
    const log = new TestLog();
    await addMigratedDatabase(folder);
    const database = await openDatabase({
      config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir: folder },
      log: log.logger,
    });
    const { db } = database;
    const maintenance = startMaintenance({ db, log: log.logger });
    const began = await logPosition(db);
    let logged = 0;
    let largest = 0;
    await db.execute(sql`create table filler (text text)`);
    await db.execute(sql`alter table filler alter column text set storage external`);
    while (logged < writtenMb * 1e6) {
      for (let statement = 0; statement < 10; statement += 1) {
        await db.execute(sql`insert into filler values (repeat(gen_random_uuid()::text, 11000))`);
        // As between any two requests, timers and sockets run in between.
        await turn();
      }
      logged = (await logPosition(db)) - began;
      largest = Math.max(largest, logSize(folder));
    }
    await maintenance.stop();
    await database.close();
    log.assertNoUnexpectedErrors();
    expect(largest).toBeLessThan(300e6);
    await annotate(`${Math.round(logged / 1e6)} MB logged, at most ${largest / 1e6} MB kept`);
  },
  600_000,
);

async function logPosition(db: Db): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

/** Read synchronously: a checkpoint in between would remove files that were just listed. */
function logSize(dataDir: string): number {
  const logFolder = join(dataDir, 'pglite', 'pg_wal');
  return readdirSync(logFolder)
    .map((file) => statSync(join(logFolder, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
