import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../start-error.ts';
import { openTestDatabase } from '../../testing/databases/database.ts';
import { TestLog } from '../../testing/logger.ts';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { createCheckpointer, vacuumHotTables } from './maintain.ts';
import { migratePglite } from './migrate-pglite.ts';
import { embeddedMajorVersion } from './refuse-other-major-version.ts';
import { openPglite } from './open-pglite.ts';
import { openDatabase } from '../open.ts';
import type { OpenDatabase } from '../open.ts';
import { settings } from '../schema/settings.ts';

const log = new TestLog();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-pglite-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  log.assertNoUnexpectedErrors();
});

describe('the embedded database in a folder', () => {
  const open = (dataDir: string) =>
    openDatabase({
      config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir },
      log: log.logger,
    });

  test('can be opened once at a time, and the next opener finds what the first one wrote', async () => {
    const dataDir = join(folder, 'used', 'data');
    await addMigratedDatabase(dataDir);
    const first = await open(dataDir);
    await first.db.insert(settings).values({ name: 'written', value: 1 });
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
    await first.close();

    const second = await open(dataDir);
    expect(await second.db.select().from(settings)).toEqual([{ name: 'written', value: 1 }]);
    await second.close();
  }, 60_000);

  test('is not written to any more, not even to close it, by a process that lost the lock', async () => {
    const dataDir = join(folder, 'lost', 'data');
    await addMigratedDatabase(dataDir);
    const former = await open(dataDir);
    const crashes: Error[] = [];
    former.onCrash((cause) => crashes.push(cause));
    await former.db.insert(settings).values({ name: 'written', value: 1 });
    const control = () => readFileSync(join(dataDir, 'pglite', 'global', 'pg_control'));
    const before = control();
    writeFileSync(join(dataDir, 'lock'), 'of another process');

    const lost = { message: 'This process has lost the lock of the data folder.' };
    await expect(former.close()).rejects.toMatchObject(lost);
    expect(crashes).toMatchObject([lost]);
    await expect(former.ping()).rejects.toMatchObject(lost);
    expect(control()).toEqual(before);
    expect(readFileSync(join(dataDir, 'lock'), 'utf8')).toBe('of another process');
  }, 60_000);

  test('is accessible only to its own user, even if others could read an older one', async () => {
    const dataDir = join(folder, 'private');
    const others = () =>
      ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter(
        (path) => (statSync(join(dataDir, path)).mode & 0o077) !== 0,
      );
    process.umask(0);
    await (await open(dataDir)).close();
    expect(others()).toEqual([]);

    chmodSync(dataDir, 0o755);
    chmodSync(join(dataDir, 'pglite'), 0o777);
    chmodSync(join(dataDir, 'pglite', 'PG_VERSION'), 0o666);
    await (await open(dataDir)).close();
    expect(others()).toEqual([]);
  }, 60_000);

  test('created by another major version is refused with instructions, and left unlocked', async () => {
    const dataDir = join(folder, 'old');
    mkdirSync(join(dataDir, 'pglite'), { recursive: true });
    writeFileSync(join(dataDir, 'pglite', 'PG_VERSION'), '17\n');
    for (let start = 1; start <= 2; start += 1) {
      const opening = openPglite({ dataDir, log: log.logger });
      await expect(opening).rejects.toThrow(StartError);
      await expect(opening).rejects.toThrow('PostgreSQL 17');
      await expect(opening).rejects.toThrow(`mv '${dataDir}/pglite' '${dataDir}/pglite-17'`);
    }
    writeFileSync(join(dataDir, 'pglite', 'PG_VERSION'), '19\n');
    await expect(openPglite({ dataDir, log: log.logger })).rejects.toThrow(
      'Start the version of the service that created it.',
    );
  });
});

describe('the embedded database', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase('pglite', log.logger);
  });
  afterAll(() => database.close());

  test('has the major version that its folders are checked against', async () => {
    const { rows } = await database.db.execute<{ server_version: string }>(
      sql`show server_version`,
    );
    expect(rows[0]?.server_version.split('.')[0]).toBe(String(embeddedMajorVersion));
  });

  test('refuses its base handle inside a transaction instead of waiting forever', async () => {
    const { db, notifier } = database;
    const message = 'Inside a transaction only its own handle may be used.';
    await db.transaction(async (tx) => {
      await expect(db.execute(sql`select 1`)).rejects.toMatchObject({ cause: { message } });
      await expect(db.transaction(async () => 1)).rejects.toThrow(message);
      await expect(notifier.publish('x', 'y')).rejects.toThrow(message);
      await tx.execute(sql`select 1`);
    });
    await db.execute(sql`select 1`);
  });

  test('runs a query that was started in a transaction, once that has ended', async () => {
    const { db } = database;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const later = await db.transaction(async () => ({
      query: ended.then(() => db.execute(sql`select 1`)),
    }));
    resolve();
    await later.query;
  });

  test('runs a checkpoint only when something was written', async () => {
    const checkpointer = createCheckpointer(database.db);
    expect(await checkpointer.run()).toBe(true);
    expect(await checkpointer.run()).toBe(false);
    await database.db.insert(settings).values({ name: 'more', value: 1 });
    expect(await checkpointer.run()).toBe(true);
    expect(await checkpointer.run()).toBe(false);
  });

  test('can be vacuumed table by table', async () => {
    await vacuumHotTables(database.db);
    const { rows } = await database.db.execute<{ analyzed: boolean }>(
      sql`select bool_and(vacuum_count > 0) as analyzed from pg_stat_user_tables
          where relname in ('api_keys', 'api_key_tokens', 'sessions')`,
    );
    expect(rows[0]?.analyzed).toBe(true);
  });
});

test('migrating twice changes nothing the second time', async () => {
  const pglite = await createMemoryPglite();
  const count = async () =>
    (await pglite.query('select count(*)::int as n from drizzle.__drizzle_migrations')).rows;
  const once = await count();
  expect(once).not.toEqual([{ n: 0 }]);
  await migratePglite(pglite);
  expect(await count()).toEqual(once);
  await pglite.close();
});
