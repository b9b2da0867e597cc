import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

test('a backup of an embedded database restores in PostgreSQL, with the same key only', async () => {
  const dataDir = temporaryFolder();
  await addMigratedDatabase(dataDir);
  const embedded = { DATA_DIR: dataDir, INIT_CWD: dataDir };
  await runAdmin(['create-account', 'Marlow', 'ann@example.com'], embedded);
  const SECRET_KEY = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
  const backup = join(dataDir, 'night.backup');
  // A path is meant from the folder in which the operator runs the command.
  expect(await runAdmin(['backup', 'night.backup'], embedded)).toEqual({
    exitCode: 0,
    text: expect.stringMatching(/^Wrote \d+ rows to \/.*\/night\.backup\. Keep SECRET_KEY/),
  });
  const DATABASE_URL = await urlOf(createPostgresDatabase());
  const restore = async (key: string) =>
    await runAdmin(['restore', backup], { DATABASE_URL, SECRET_KEY: key });

  expect(await restore(Buffer.alloc(32, 8).toString('base64'))).toEqual({
    exitCode: 1,
    text: expect.stringContaining('SECRET_KEY is not the key that encrypted the secrets in this'),
  });
  expect((await restore(SECRET_KEY)).text).toMatch(/^Restored \d+ rows as of .*\n\nNo tokens/s);
  const onPostgres = { DATABASE_URL, SECRET_KEY };
  expect((await runAdmin(['list-accounts'], onPostgres)).text).toContain('ann@example.com');
  expect((await runAdmin(['verify-audit'], onPostgres)).text).toContain('Marlow: ok, 1 entry');
  expect(await restore(SECRET_KEY)).toEqual({
    exitCode: 1,
    text: 'The database in DATABASE_URL already has data. Restore into an empty one.',
  });

  const elsewhere = { DATA_DIR: join(dataDir, 'restored'), INIT_CWD: dataDir };
  expect(await runAdmin(['restore', 'night.backup'], elsewhere)).toEqual({
    exitCode: 1,
    text: expect.stringMatching(
      /^There is no SECRET_KEY\. .* put its file secret-key into DATA_DIR/,
    ),
  });
  const there = { ...elsewhere, SECRET_KEY };
  expect((await runAdmin(['restore', 'night.backup'], there)).exitCode).toBe(0);
  expect((await runAdmin(['list-accounts'], there)).text).toContain('ann@example.com');
});

test('a backup from other tables is refused with the version that can restore it', async () => {
  const url = await urlOf(createMigratedPostgres());
  const path = join(temporaryFolder(), 'old.backup');
  const header = {
    formatVersion: 1,
    version: '0.0.9',
    migration: 1,
    createdAt: new Date(),
    keyCheck: null,
  };
  const line = `#header ${JSON.stringify(header)}\n`;
  const end = { rows: 0, sha256: createHash('sha256').update(line).digest('hex') };
  await writeFile(path, gzipSync(`${line}#end ${JSON.stringify(end)}\n`));
  expect(await admin(url, 'restore', path)).toEqual({
    exitCode: 1,
    text: `The backup was written by version 0.0.9, whose tables are not those of this version (${version}). Restore it with version 0.0.9, then install this one.`,
  });
});

test('a backup that cannot be written says so, and leaves no file', async () => {
  const url = await urlOf(createMigratedPostgres());
  const folder = temporaryFolder();
  expect(await admin(url, 'backup', join(folder, 'missing', 'night.backup'))).toEqual({
    exitCode: 1,
    text: expect.stringMatching(/^The backup cannot be written to .* \(ENOENT\)\. Name a file in/),
  });
  // A folder has that name.
  expect((await admin(url, 'backup', folder)).text).toContain('cannot be written');
  expect(await readdir(folder)).toEqual([]);
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
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
