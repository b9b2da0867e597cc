import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { TestLog } from '../../testing/logger.ts';
import { startMaintenance } from './maintain.ts';
import { openDatabase } from '../open.ts';
import type { Db } from '../open.ts';

/** Without checkpoints in between, this would exceed the limit. */
const writtenMb = 1000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disk-and-memory-'));
});
afterEach(() => rm(folder, { recursive: true }));

// `open-pglite.test.ts` tests the checkpoints themselves.
test(`the log of the embedded database stays under 300 MB while ${writtenMb} MB are written as fast as possible`, async ({
  annotate,
}) => {
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
}, 600_000);

// In a process of its own, without the flag of this one that prevents every optimization.
test('a database that V8 may not optimize takes less than 300 MiB, and one that it may takes more', async () => {
  await addMigratedDatabase(folder);
  const script = new URL('../../testing/processes/measure-database-memory.ts', import.meta.url);
  const measure = async (isOptimized: boolean) => {
    const args = [fileURLToPath(script), join(folder, 'pglite'), String(isOptimized)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return Number(stdout) / 1024 ** 2;
  };
  expect(await measure(false)).toBeLessThan(300);
  expect(await measure(true)).toBeGreaterThan(400);
}, 120_000);

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
