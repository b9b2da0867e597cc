import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { replaceInAddress } from '../../testing/databases/postgres-address.ts';
import {
  createMigratedPostgres,
  createPostgresDatabase,
  queryPostgres,
} from '../../testing/databases/postgres-database.ts';
import { TestLog } from '../../testing/logger.ts';
import { startService } from '../../testing/processes/service-process.ts';
import { openWire } from '../../testing/databases/open-wire.ts';
import type { Wire } from '../../testing/databases/open-wire.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { openPostgres } from './open-postgres.ts';
import { openDatabase } from '../open.ts';
import { createWriteProbe } from '../write-probe.ts';
import { useTemporaryFolder } from '../../testing/temporary-folder.ts';

const log = new TestLog();
let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(async () => {
  await database.drop();
  log.assertNoUnexpectedErrors();
});

const open = (databaseUrl: string) =>
  openDatabase({
    config: { databaseUrl, migrationDatabaseUrl: null, dataDir: '' },
    log: log.logger,
  });

test('a start whose modules take longer to load than a connection may take keeps its connections', async () => {
  const service = await startService(
    {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ROLES: 'api',
      LOG_LEVEL: 'warn',
    },
    new URL('../../testing/processes/preloads/slow-modules.ts', import.meta.url),
  );
  expect(service.output()).not.toContain('connection');
  await service.kill();
});

test('processes that start together run the migrations once, one process after another', async () => {
  await Promise.all(
    Array.from({ length: 5 }, () => migratePostgres(database.url, { log: log.logger })),
  );
  const rows = await queryPostgres(
    database.url,
    'select created_at, count(*)::int as times from drizzle.__drizzle_migrations group by created_at',
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ times }) => times === 1)).toBe(true);
});

test('a database from before the first release stops the start with advice, and stays as it is', async () => {
  const early = await createMigratedPostgres();
  const migrations = 'drizzle.__drizzle_migrations';
  await queryPostgres(early.url, `update ${migrations} set created_at = created_at - 1`);
  const read = async () => await queryPostgres(early.url, `select * from ${migrations}`);
  const recorded = await read();
  await expect(open(early.url)).rejects.toThrow(
    'created before the first release of the service and cannot be upgraded: start with an empty database (DATABASE_URL)',
  );
  expect(await read()).toEqual(recorded);
  await early.drop();
});

test('a database that a newer version has changed stops the start with advice, and stays as it is', async () => {
  const newer = await createMigratedPostgres();
  const migrations = 'drizzle.__drizzle_migrations';
  await queryPostgres(
    newer.url,
    `insert into ${migrations} (hash, created_at) values ('newer', 9e15)`,
  );
  const count = async () => (await queryPostgres(newer.url, `select from ${migrations}`)).length;
  const before = await count();
  await expect(open(newer.url)).rejects.toThrow(
    'has changed the database: start that version again, or restore the backup from before the upgrade.',
  );
  expect(await count()).toBe(before);
  await newer.drop();
});

test('the message distinguishes a wrong user in DATABASE_URL from a wrong one for migrations', async () => {
  const databaseUrl = replaceInAddress(database.url, { user: 'nobody' });
  const config = { databaseUrl, migrationDatabaseUrl: database.url, dataDir: '' };
  await expect(openDatabase({ config, log: log.logger })).rejects.toThrow(
    'Correct the user or the password in DATABASE_URL',
  );
});

test.each(['DATABASE_URL', 'MIGRATION_DATABASE_URL'])(
  'a standby in %s stops the start with advice, although it seems to be another database',
  async (setting) => {
    const standby = await createPostgresDatabase();
    const readOnly = `${standby.url}&options=-c%20default_transaction_read_only%3Don`;
    const config =
      setting === 'DATABASE_URL'
        ? { databaseUrl: readOnly, migrationDatabaseUrl: database.url, dataDir: '' }
        : { databaseUrl: database.url, migrationDatabaseUrl: readOnly, dataDir: '' };
    await expect(openDatabase({ config, log: log.logger })).rejects.toThrow(
      `Cannot connect to PostgreSQL: The server is read-only, as a standby is. Set ${setting} to a server that accepts writes.`,
    );
    await standby.drop();
  },
);

test('addresses of two databases stop the start before anything is created', async () => {
  const other = await createPostgresDatabase();
  const config = { databaseUrl: database.url, migrationDatabaseUrl: other.url, dataDir: '' };
  await expect(openDatabase({ config, log: log.logger })).rejects.toThrow(
    'DATABASE_URL and MIGRATION_DATABASE_URL lead to different databases.',
  );
  const inPublic = "select from information_schema.tables where table_schema = 'public'";
  expect(await queryPostgres(other.url, inPublic)).toEqual([]);
  await other.drop();
});

describe('the path of a socket', () => {
  const folder = useTemporaryFolder();
  let wire: Wire;
  beforeAll(async () => {
    wire = await openWire(database.url, folder);
  });
  afterAll(() => wire.close());

  test.each([
    ['as a parameter', (path: string, name: string) => `postgres:///${name}?host=${path}`],
    [
      'in place of the host',
      (path: string, name: string) => `postgres://${encodeURIComponent(path)}/${name}`,
    ],
    ['in a URL of its own', (path: string, name: string) => `socket:${path}?db=${name}`],
    ['before the name of the database', (path: string, name: string) => `${path} ${name}`],
  ])('is accepted %s', async (_, write) => {
    const { user = '', password = '', database: name = '' } = new pg.Client(database.url);
    vi.stubEnv('PGUSER', user);
    vi.stubEnv('PGPASSWORD', password);
    const given = { DATABASE_URL: write(folder, name), SECRET_KEY: 'A'.repeat(43) + '=' };
    const { databaseUrl } = loadConfig(given);
    const opened = await open(databaseUrl ?? '');
    await opened.ping();
    await opened.close();
  });
});

describe('when the database goes away', () => {
  test('nothing crashes, and listening resumes and reports that', async () => {
    const wire = await openWire(database.url);
    const opened = await open(wire.url);
    let begun = 0;
    const heard: string[] = [];
    opened.notifier.onReconnect(() => (begun += 1));
    opened.notifier.subscribe('news', (payload) => heard.push(payload));
    await expect.poll(() => begun).toBe(1);

    wire.cut();
    await expect(opened.ping()).rejects.toThrow();
    wire.mend();
    await expect.poll(() => begun, { timeout: 5000 }).toBe(2);
    await opened.ping();
    await opened.notifier.publish('news', 'again');
    await expect.poll(() => heard).toEqual(['again']);

    await opened.close();
    await wire.close();
    const said = log.entries.map(({ msg }) => msg);
    expect(said).toContain('not listening for notifications: connection lost');
    expect(said).toContain('listening for notifications again');
  });
});

describe('a connection that is lost while it is used', () => {
  test('between two statements of a transaction fails the next statement, and the next transaction works', async () => {
    const opened = await open(database.url);
    const operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    const lost = opened.db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      // Earlier tests lose connections too.
      const before = countLost();
      await operator.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await expect.poll(countLost, { timeout: 10_000 }).toBe(before + 1);
      await tx.execute(sql`select 1`);
    });
    await expect(lost).rejects.toMatchObject({ cause: { message: expect.stringMatching(gone) } });
    await opened.db.transaction((tx) => tx.execute(sql`select 1`));
    await operator.end();
    await opened.close();
  });

  test('before its transaction has begun is replaced by a new one', async () => {
    const wire = await openWire(database.url);
    const opened = await open(wire.url);
    /**
     * As many transactions immediately as the pool has connections: each ends after all have begun.
     */
    const all = () => {
      const { promise: allBegun, resolve } = Promise.withResolvers<void>();
      let begun = 0;
      return Array.from({ length: 10 }, () =>
        opened.db.transaction(async (tx) => {
          await tx.execute(sql`select 1`);
          begun += 1;
          if (begun === 10) resolve();
          await allBegun;
        }),
      );
    };
    await Promise.all(all());
    wire.hold();
    const held = Promise.allSettled(all());
    wire.cut();
    expect((await held).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    wire.mend();
    await Promise.all([opened.ping(), ...all()]);
    await opened.close();
    await wire.close();
  });
});

test('a network that drops all packets fails the running statements, and later ones work', async () => {
  const wire = await openWire(database.url);
  const { url } = wire;
  const options = { databaseUrl: url, migrationDatabaseUrl: url, log: log.logger };
  const opened = await openPostgres({ ...options, inactivityTimeoutMs: 500 });
  await opened.ping();
  wire.hold();
  await expect(opened.ping()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  wire.cut();
  wire.mend();
  await opened.ping();
  await opened.close();
  await wire.close();
});

test('a read-only database, such as a standby, takes no writes until it is writable', async () => {
  const opened = await open(database.url);
  const probeWrite = createWriteProbe({ db: opened.db, log: log.logger });
  const operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  const { rows } = await operator.query<{ name: string }>('select current_database() as name');
  const name = operator.escapeIdentifier(rows[0]?.name ?? '');
  /** Applies to new connections. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await operator.query('set default_transaction_read_only = off');
    await operator.query(`alter database ${name} set default_transaction_read_only = ${value}`);
  }
  log.expectErrors(/^the database does not accept writes$/);
  await probeWrite();
  await setReadOnly('on');
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await expect.poll(probeOutcome, { timeout: 10_000 }).toBe('25006');
  expect(await probeOutcome()).toBe('25006');
  // As after a failover: the old primary keeps the connections that it accepted as a standby, but
  // new ones reach the new primary.
  await setReadOnly('off');
  await expect.poll(probeOutcome, { timeout: 10_000 }).toBe('takes writes');
  expect(log.entries.filter(({ msg }) => /^the database .*writes/.test(msg))).toHaveLength(2);
  await operator.end();
  await opened.close();

  async function probeOutcome(): Promise<unknown> {
    try {
      await probeWrite();
      return 'takes writes';
    } catch (error) {
      // A failed statement is the cause of the error; a connection that is refused is the error.
      const { cause = error } = error as Error;
      return cause instanceof Error && 'code' in cause ? cause.code : cause;
    }
  }
});

const lostInUse = 'a database connection was lost in the middle of its use';

/** How many connections were lost in the middle of their use so far. */
function countLost(): number {
  return log.entries.filter(({ msg }) => msg === lostInUse).length;
}

/** How the driver reports a lost connection; `isTemporaryError` recognizes it. */
const gone = /is not queryable|Connection terminated/;
