import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { checkPostgres, describeConnections, describeClockSkew } from '../db/check-database.ts';
import { checkValue } from '../secrets/secret-key.ts';
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
  const { text } = await examined(settings);
  expect(text).toMatch(/^ok +database rights/m);
  expect(text).toMatch(/^ok +database version/m);
  const alone = await checkPostgres({ ...config, migrationDatabaseUrl: null }, async () => []);
  expect(alone).toContainEqual({
    about: 'database version',
    state: 'wrong',
    says: expect.stringMatching(
      /may not read which migrations have run\. Set MIGRATION_DATABASE_URL/,
    ),
  });
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

test('another SECRET_KEY than that of the database is wrong, and deliveries on hold are named', async () => {
  const DATABASE_URL = await urlOf(createMigratedPostgres());
  expect((await examined({ DATABASE_URL })).text).toMatch(/^ok +SECRET_KEY +nothing is encrypted/m);
  const check = checkValue(Buffer.from(SECRET_KEY, 'base64'));
  await queryPostgres(
    DATABASE_URL,
    `insert into settings (name, value) values ('secret_key_check', to_jsonb('${check}'::text)),
      ('restored_backup', '"2030-05-01T10:00:00.000Z"')`,
  );
  const { text } = await examined({ DATABASE_URL });
  expect(text).toMatch(/^ok +SECRET_KEY +is the key that encrypted this database/m);
  expect(text).toMatch(/^note +deliveries +.*1 May 2030.*admin -- resume-deliveries/m);
  const other = { DATABASE_URL, SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
  expect((await examined(other)).text).toMatch(
    /^wrong +SECRET_KEY +This is not the key that encrypted this database/m,
  );
  const changing = await examined({ ...other, SECRET_KEY_PREVIOUS: SECRET_KEY });
  expect(changing.text).toMatch(/^note +SECRET_KEY +.*encrypts everything again/m);
});

test('a clock that differs, and a server with too few connections, are wrong', () => {
  expect(describeClockSkew(-5000)).toBe('differs by 5000 ms from the one of this machine');
  expect(describeClockSkew(-7200)).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/differs by -7 seconds .*Synchronize both/),
  });
  expect(describeConnections({ max: 97, others: 80 })).toMatch(
    /enough for 1 process of the service$/,
  );
  expect(describeConnections({ max: 97, others: 81 })).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/needs up to 17\. Raise max_connections/),
  });
});

test('a server that cannot be reached is wrong, and the other checks still run', async () => {
  const { text } = await examined({ DATABASE_URL: 'postgres://app@127.0.0.1:9/app' });
  expect(text).toMatch(/^wrong +database +Cannot connect to PostgreSQL: connect ECONNREFUSED/m);
  expect(text).toMatch(/^ok +file modes/m);
});
