import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import pg from 'pg';
import { TestLog } from '../logger.ts';
import { migratePostgres } from '../../db/postgres/migrate-postgres.ts';
import { cachedDatabasePath } from './cached-database-path.ts';
import { replaceInAddress } from './postgres-address.ts';

export type PostgresDatabase = { url: string; drop(): Promise<void> };

/**
 * The advisory lock that a process holds while it creates the template; the number is arbitrary.
 */
const advisoryLock = 7_317_443_199;

/**
 * Creates an empty database on the server in TEST_DATABASE_URL.
 * @param how options of `create database`
 */
export async function createPostgresDatabase(how = ''): Promise<PostgresDatabase> {
  return await createDatabase(how);
}

/** Creates an empty, migrated database: a quick copy of a template that is kept on the server. */
export async function createMigratedPostgres(): Promise<PostgresDatabase> {
  template ??= makeTemplate();
  return await createDatabase(`template ${await template} strategy file_copy`);
}

/** The role of services in tests, which has no rights by itself. */
const runningRole = { name: 'test_running', password: 'running' };

/**
 * The address of a database for a role that does not own it, as operators are told to set one. The
 * role has the rights that a service grants it, and no others.
 */
export async function runningUrl(ownersUrl: string): Promise<string> {
  const { name, password } = runningRole;
  role ??= onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const found = await client.query('select from pg_roles where rolname = $1', [name]);
    if (found.rowCount === 0) {
      await client.query(`create role ${name} login password '${password}'`);
    }
  });
  await role;
  return replaceInAddress(ownersUrl, { user: name, password });
}

let role: Promise<void> | undefined;

let template: Promise<string> | undefined;

/** Runs statements as the owner of a database; returns the rows of the last one. */
export async function queryPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(how: string): Promise<PostgresDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name} ${how}`));
  return {
    url: urlOf(name),
    drop: () => onServer((client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** The name of the template is a hash of the migrations, so that it is never out of date. */
async function makeTemplate(): Promise<string> {
  const name = `template_${basename(await cachedDatabasePath())}`;
  const unfinished = `${name}_unfinished`;
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount !== 0) return;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    await migratePostgres(urlOf(unfinished), { log: new TestLog().logger });
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

function urlOf(database: string): string {
  return replaceInAddress(serverUrl(), { database });
}

function serverUrl(): string {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error('TEST_DATABASE_URL names no PostgreSQL to test on.');
  return server;
}

async function onServer(act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
