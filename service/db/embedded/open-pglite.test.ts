import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StartError } from '../../start-error.ts';
import { openTestDatabase } from '../../testing/databases/database.ts';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { TestLog } from '../../testing/logger.ts';
import { createCheckpointer, vacuumHotTables } from './maintain.ts';
import { embeddedMajorVersion, openPglite } from './open-pglite.ts';
import { openDatabase } from '../open.ts';
import type { OpenDatabase } from '../open.ts';
import { settings } from '../schema/settings.ts';
import { useTemporaryFolder } from '../../testing/temporary-folder.ts';

const log = new TestLog();
const folder = useTemporaryFolder();
afterAll(() => log.assertNoUnexpectedErrors());

describe('the embedded database in a folder', () => {
  const open = (dataDir: string) =>
    openDatabase({
      config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir },
      log: log.logger,
    });

  let dataDir: string;
  /** Creating and opening databases takes seconds: each test leaves one open for the others. */
  let opened: OpenDatabase;
  beforeAll(async () => {
    process.umask(0);
    dataDir = join(folder, 'new', 'data');
    opened = await open(dataDir);
  });
  afterAll(() => opened.close());

  test('is accessible only to its own user, even if others could read an older one', async () => {
    const others = () =>
      ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter(
        (path) => (statSync(join(dataDir, path)).mode & 0o077) !== 0,
      );
    expect(others()).toEqual([]);
    await opened.close();
    expect(others()).toEqual([]);

    chmodSync(dataDir, 0o755);
    chmodSync(join(dataDir, 'pglite'), 0o777);
    chmodSync(join(dataDir, 'pglite', 'PG_VERSION'), 0o666);
    process.umask(0);
    opened = await open(dataDir);
    expect(others()).toEqual([]);
  }, 60_000);

  test('can be opened once at a time, and the next opener finds what the first one wrote, and migrates nothing again', async () => {
    const migrations = async () =>
      (await opened.db.execute(sql`select * from drizzle.__drizzle_migrations order by id`)).rows;
    const migrated = await migrations();
    expect(migrated).not.toEqual([]);
    await opened.db.insert(settings).values({ name: 'written', value: 1 });
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
    await opened.close();

    opened = await open(dataDir);
    expect(await opened.db.select().from(settings)).toEqual([{ name: 'written', value: 1 }]);
    expect(await migrations()).toEqual(migrated);
  }, 60_000);

  test('is not optimized by V8 in a container with little memory, which the log says', async () => {
    const message = expect.stringContaining('V8 does not optimize the embedded database') as string;
    expect(log.entries).not.toContainEqual(expect.objectContaining({ msg: message }));
    await opened.close();
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(512 * 1024 ** 2);
    opened = await open(dataDir);
    expect(log.entries).toContainEqual(expect.objectContaining({ msg: message }));
  }, 60_000);

  test('is not written to any more, not even to close it, by a process that lost the lock', async () => {
    // Its own folder, because nobody can close the database any more.
    const lostDir = join(folder, 'lost');
    await addMigratedDatabase(lostDir);
    const lost = await open(lostDir);
    const crashes: Error[] = [];
    lost.onCrash((cause) => crashes.push(cause));
    await lost.db.insert(settings).values({ name: 'lost', value: 1 });
    const control = () => readFileSync(join(lostDir, 'pglite', 'global', 'pg_control'));
    const before = control();
    writeFileSync(join(lostDir, 'lock'), 'of another process');

    const error = { message: 'This process has lost the lock of the data folder.' };
    await expect(lost.close()).rejects.toMatchObject(error);
    expect(crashes).toMatchObject([error]);
    await expect(lost.ping()).rejects.toMatchObject(error);
    expect(control()).toEqual(before);
    expect(readFileSync(join(lostDir, 'lock'), 'utf8')).toBe('of another process');
  }, 60_000);

  test('whose creation was interrupted is created again, and until then counts as missing', async () => {
    const interrupted = join(folder, 'interrupted');
    mkdirSync(join(interrupted, 'pglite', 'base'), { recursive: true });
    writeFileSync(join(interrupted, 'pglite', 'PG_VERSION'), `${embeddedMajorVersion}\n`);
    writeFileSync(join(interrupted, 'pglite.unfinished'), '');
    const options = { dataDir: interrupted, log: log.logger };
    await expect(openPglite({ ...options, mustExist: true })).rejects.toThrow(StartError);
    const again = await openPglite(options);
    expect(readdirSync(interrupted)).not.toContain('pglite.unfinished');
    await again.close();
  }, 60_000);

  test('from before the first release is refused with what to do, and left unlocked', async () => {
    const early = join(folder, 'early');
    await addMigratedDatabase(early);
    const pglite = await PGlite.create(join(early, 'pglite'));
    await pglite.query('update drizzle.__drizzle_migrations set created_at = created_at - 1');
    await pglite.close();
    const opening = openPglite({ dataDir: early, log: log.logger });
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(
      'created before the first release of the service and cannot be upgraded',
    );
    expect(readdirSync(early)).toEqual(['pglite']);
  }, 60_000);

  test('that a newer version has changed is refused with what to do, and stays as it is', async () => {
    const newer = join(folder, 'newer');
    await addMigratedDatabase(newer);
    const added = `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e15)`;
    const pglite = await PGlite.create(join(newer, 'pglite'));
    await pglite.query(added);
    await pglite.close();
    for (const mustExist of [false, true]) {
      const opening = openPglite({ dataDir: newer, log: log.logger, mustExist });
      await expect(opening).rejects.toThrow(StartError);
      await expect(opening).rejects.toThrow('A newer version of the service than this one (');
    }
    expect(readdirSync(newer)).toEqual(['pglite']);
  }, 60_000);

  test('that is incomplete is left as it is, with what to do', async () => {
    const incomplete = join(folder, 'incomplete');
    mkdirSync(join(incomplete, 'pglite', 'base'), { recursive: true });
    const opening = openPglite({ dataDir: incomplete, log: log.logger });
    await expect(opening).rejects.toThrow('Restore the whole folder from a backup.');
    expect(readdirSync(join(incomplete, 'pglite'))).toEqual(['base']);
  });

  test('created by another major version is refused with what to do, and left unlocked', async () => {
    const old = join(folder, 'old');
    mkdirSync(join(old, 'pglite'), { recursive: true });
    writeFileSync(join(old, 'pglite', 'PG_VERSION'), '17\n');
    for (let start = 1; start <= 2; start += 1) {
      const opening = openPglite({ dataDir: old, log: log.logger });
      await expect(opening).rejects.toThrow(StartError);
      await expect(opening).rejects.toThrow(
        `was created by PostgreSQL 17, and this version of the service embeds PostgreSQL ${embeddedMajorVersion}. Start the version of the service that created it.`,
      );
    }
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
