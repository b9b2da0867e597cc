import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import type { AdminOutcome } from './outcome.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import {
  createMigratedPostgres,
  createPostgresDatabase,
} from '../testing/databases/postgres-database.ts';
import type { PostgresDatabase } from '../testing/databases/postgres-database.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { version } from '../version.ts';

/** The URL of a database for the running test alone. */
async function urlOf(creating: Promise<PostgresDatabase>): Promise<string> {
  const database = await creating;
  onTestFinished(() => database.drop());
  return database.url;
}

async function admin(url: string, ...args: string[]): Promise<AdminOutcome> {
  const key = Buffer.alloc(32, 7).toString('base64');
  return await runAdmin(args, { DATABASE_URL: url, SECRET_KEY: key });
}

test('operator commands connect directly to PostgreSQL', async () => {
  const url = await urlOf(createMigratedPostgres());
  for (const email of ['ann@example.com', 'bob@example.com']) {
    const created = await admin(url, 'create-account', 'Marlow', email);
    expect(created).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('Created account'),
    });
  }
  const [, first, second] = (await admin(url, 'list-accounts')).text.split('\n');
  expect(first).toMatch(/ Marlow  1 {8}\d{4}-\d\d-\d\d  ann@example\.com$/);
  expect(second).toMatch(/ Marlow  1 {8}\d{4}-\d\d-\d\d  bob@example\.com$/);
  const account = second?.split(' ', 1)[0] ?? '';
  expect((await admin(url, 'add-member', account, 'ann@example.com', 'viewer')).exitCode).toBe(0);
  expect((await admin(url, 'remove-member', account, 'bob@example.com')).exitCode).toBe(1);
  expect((await admin(url, 'remove-member', account, 'ann@example.com')).exitCode).toBe(0);
  expect((await admin(url, 'list-members', account)).text.split('\n')).toHaveLength(2);
  const verified = await admin(url, 'verify-audit');
  expect(verified).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining(`${account} Marlow: ok`),
  });
});

test('copy-embedded moves an installation to an empty PostgreSQL database, with the same key only', async () => {
  const dataDir = temporaryFolder();
  await addMigratedDatabase(dataDir);
  const created = await runAdmin(['create-account', 'Marlow', 'ann@example.com'], {
    DATA_DIR: dataDir,
  });
  expect(created.exitCode).toBe(0);
  const DATABASE_URL = await urlOf(createPostgresDatabase());
  const SECRET_KEY = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
  const onPostgres = { DATA_DIR: dataDir, DATABASE_URL, SECRET_KEY };
  const otherKey = { ...onPostgres, SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };

  expect(await runAdmin(['copy-embedded'], { DATA_DIR: dataDir })).toEqual({
    exitCode: 1,
    text: expect.stringContaining('Set DATABASE_URL to an empty PostgreSQL database'),
  });
  expect(await runAdmin(['copy-embedded'], otherKey)).toEqual({
    exitCode: 1,
    text: expect.stringContaining('SECRET_KEY is not the key'),
  });
  expect((await runAdmin(['list-accounts'], onPostgres)).text).toContain(
    'There is no installation',
  );

  expect(await runAdmin(['copy-embedded'], onPostgres)).toEqual({
    exitCode: 0,
    text: expect.stringMatching(/^Copied \d+ rows from /),
  });
  expect((await runAdmin(['list-accounts'], onPostgres)).text).toContain('ann@example.com');
  expect((await runAdmin(['verify-audit'], onPostgres)).text).toContain('Marlow: ok, 1 entry');
  expect(await runAdmin(['copy-embedded'], onPostgres)).toEqual({
    exitCode: 1,
    text: expect.stringContaining('already has data'),
  });
});

test('no command runs with a SECRET_KEY other than that of the service', async () => {
  const url = await urlOf(createMigratedPostgres());
  await admin(url, 'create-account', 'Marlow', 'ann@example.com');
  const other = Buffer.alloc(32, 8).toString('base64');
  const environment = { DATABASE_URL: url, SECRET_KEY: other };
  expect(await runAdmin(['create-account', 'Finch', 'ann@example.com'], environment)).toEqual({
    exitCode: 1,
    text: expect.stringContaining('SECRET_KEY is not the key'),
  });
});

test('migrate creates the tables once, and nobody who can sign in', async () => {
  const url = await urlOf(createPostgresDatabase());
  for (const run of ['first', 'second']) {
    const migrated = await admin(url, 'migrate');
    expect(migrated, run).toEqual({
      exitCode: 0,
      text: `The tables are those of version ${version}.`,
    });
  }
  expect((await admin(url, 'list-accounts')).text).toContain('There are no accounts yet.');
});

test('a database without an installation is refused, and gets no tables', async () => {
  const url = await urlOf(createPostgresDatabase());
  expect(await admin(url, 'list-accounts')).toEqual({
    exitCode: 1,
    text: 'There is no installation in the database that DATABASE_URL names. Check DATABASE_URL, or start the service once to create it.',
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(
    `select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  await client.end();
  expect(rowCount).toBe(0);
});
