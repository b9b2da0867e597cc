import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { checkPostgres } from '../db/check-database.ts';
import { openDatabase } from '../db/open.ts';
import { loadConfig } from '../config/load-config.ts';
import {
  createMigratedPostgres,
  createPostgresDatabase,
  queryPostgres,
  runningUrl,
  type PostgresDatabase,
} from '../testing/databases/postgres-database.ts';
import { silentLog } from '../testing/logger.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

async function urlOf(creating: Promise<PostgresDatabase>): Promise<string> {
  const database = await creating;
  onTestFinished(() => database.drop());
  return database.url;
}

async function examined(settings: Record<string, string>) {
  const others = { SECRET_KEY, DATA_DIR: temporaryFolder(), PUBLIC_URL: 'http://127.0.0.1:9' };
  return await runAdmin(['doctor'], { ...others, ...settings });
}

test('a PostgreSQL database in order is found to be in order', async () => {
  const { text } = await examined({ DATABASE_URL: await urlOf(createMigratedPostgres()) });
  expect(text).toMatch(/^ok +database +the connection works, the encoding is UTF8/m);
  expect(text).toMatch(/^ok +database version +PostgreSQL \d+.*not newer than this version/m);
  expect(text).toMatch(/^note +database rights +.*set MIGRATION_DATABASE_URL/m);
  expect(text).toMatch(/^ok +database clock +differs by \d+ ms/m);
  expect(text).toMatch(/^(ok|wrong) +database connections +The server has room for \d+/m);
  expect(text).toMatch(/^note +Redis +.*With several processes, set REDIS_URL/m);
});

test('with a role for migrations, the other one has the rights that it needs', async () => {
  const MIGRATION_DATABASE_URL = await urlOf(createMigratedPostgres());
  const DATABASE_URL = await runningUrl(MIGRATION_DATABASE_URL);
  const settings = { DATABASE_URL, MIGRATION_DATABASE_URL };
  expect((await examined(settings)).text).toMatch(
    /^wrong +database rights +.*may not read .*accounts/m,
  );
  const config = loadConfig({ ...settings, SECRET_KEY });
  await (await openDatabase({ config, log: silentLog })).close();
  expect((await examined(settings)).text).toMatch(/^ok +database rights/m);
  const alone = await checkPostgres({ ...config, migrationDatabaseUrl: null });
  expect(alone).toContainEqual({
    about: 'database rights',
    state: 'wrong',
    says: expect.stringContaining('may not create tables, so the next upgrade would fail'),
  });
});

test('an empty database is named as such, and gets no tables', async () => {
  const DATABASE_URL = await urlOf(createPostgresDatabase());
  const { exitCode, text } = await examined({ DATABASE_URL });
  expect(exitCode).toBe(1);
  expect(text).toMatch(/^wrong +database version +.*without an installation\. Check DATABASE_URL/m);
  const tables = await queryPostgres(DATABASE_URL, `select to_regclass('accounts') as found`);
  expect(tables).toEqual([{ found: null }]);
});

test('a database that a newer version has changed, and one without UTF8, are wrong', async () => {
  const newer = await urlOf(createMigratedPostgres());
  const added = `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e15)`;
  await queryPostgres(newer, added);
  expect((await examined({ DATABASE_URL: newer })).text).toMatch(
    /^wrong +database version +A newer version of the service/m,
  );
  const latin = await urlOf(
    createPostgresDatabase(`encoding 'LATIN1' locale 'C' template template0`),
  );
  expect((await examined({ DATABASE_URL: latin })).text).toMatch(
    /^wrong +database +.*has the encoding LATIN1/m,
  );
});

test('a server that cannot be reached is wrong, and the other checks still run', async () => {
  const { text } = await examined({ DATABASE_URL: 'postgres://app@127.0.0.1:9/app' });
  expect(text).toMatch(/^wrong +database +Cannot connect to PostgreSQL: connect ECONNREFUSED/m);
  expect(text).toMatch(/^ok +file modes/m);
});
