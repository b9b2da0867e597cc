import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { listenerOf, replaceInAddress } from '../../testing/databases/postgres-address.ts';
import {
  createPostgresDatabase,
  queryPostgres,
} from '../../testing/databases/postgres-database.ts';
import { refusal } from '../../testing/databases/refusal.ts';
import { TestLog } from '../../testing/logger.ts';
import { StartError } from '../../start-error.ts';
import { openDatabase } from '../open.ts';

const limits = { statement_timeout: '20s', idle_in_transaction_session_timeout: '40s' };

/** An empty database of its own, with these defaults for every connection. */
async function databaseWith(defaults: Record<string, string>, how = ''): Promise<string> {
  const database = await createPostgresDatabase(how);
  onTestFinished(() => database.drop());
  const { url } = database;
  const name = new pg.Client({ connectionString: url }).database;
  for (const [setting, value] of Object.entries(defaults)) {
    await queryPostgres(url, `alter database ${name} set ${setting} = '${value}'`);
  }
  return url;
}

/** Opens the database, as a start does, and returns the limits of a statement in it. */
async function open(databaseUrl: string, migrationDatabaseUrl: string | null = null) {
  const log = new TestLog();
  const config = { databaseUrl, migrationDatabaseUrl, dataDir: '' };
  const database = await openDatabase({ config, log: log.logger });
  const { rows } = await database.db.execute(
    sql`select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  await database.close();
  log.assertNoUnexpectedErrors();
  return rows[0];
}

/** Whether the service has created anything in the database. */
async function isEmpty(url: string): Promise<boolean> {
  return (
    (await queryPostgres(url, `select from pg_namespace where nspname = 'drizzle'`)).length === 0
  );
}

describe('a start is refused, before anything is created, in a database', () => {
  test('with another encoding than UTF8', async () => {
    const url = await databaseWith(
      {},
      `encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'`,
    );
    await expect(open(url)).rejects.toThrow(
      /^The database in DATABASE_URL has the encoding SQL_ASCII.*create database .* encoding 'UTF8' template template0/,
    );
    expect(await isEmpty(url)).toBe(true);
  });

  test.each([
    ['DateStyle', 'SQL, DMY', 'ISO'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['standard_conforming_strings', 'off', 'on'],
  ])('whose %s is %s, with the statement that changes it', async (setting, value, needed) => {
    const url = await databaseWith({ [setting]: value });
    const failure: unknown = await open(url).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        `${setting} is "${value}"[^]*alter role "?\\w+"? set ${setting} = '${needed}';`,
      ),
    });
    expect(await isEmpty(url)).toBe(true);
  });
});

test('every connection has its own limits of statements, no matter what the role has', async () => {
  const url = await databaseWith({ statement_timeout: '2h' });
  expect(await open(url)).toEqual({ statement: '30s', idle: '1min' });
});

const chapter = new URL('../../../docs/operations/scaling.md', import.meta.url);
/** The statements that give a role its limits. */
const [, documented = ''] =
  /```sql\n(alter role [^`]*)```/.exec(readFileSync(chapter, 'utf8')) ?? [];

test('PostgreSQL accepts the statements of docs/operations/scaling.md', async () => {
  const url = await databaseWith({});
  const role = `test_limits_${randomUUID().slice(0, 8)}`;
  await queryPostgres(url, `create role ${role}`);
  onTestFinished(async () => void (await queryPostgres(url, `drop role ${role}`)));
  await queryPostgres(url, documented.replaceAll('role app', `role ${role}`));
  const set = `select rolconfig from pg_roles where rolname = '${role}'`;
  expect(await queryPostgres(url, set)).toEqual([
    { rolconfig: ['statement_timeout=30s', 'idle_in_transaction_session_timeout=60s'] },
  ]);
});

describe.each(['refuses', 'ignores'] as const)('behind a pooler that %s limits', (policy) => {
  test('a start uses those of the role', async () => {
    const url = await databaseWith(limits);
    const pooled = await startPooler(url, policy);
    expect(await open(pooled)).toEqual({ statement: '20s', idle: '40s' });
    expect(await open(pooled, url)).toEqual({ statement: '20s', idle: '40s' });
  });

  test('a start is refused if the role has none, with the statements that set them', async () => {
    const url = await databaseWith({});
    const refused: unknown = await open(await startPooler(url, policy)).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StartError);
    const said = String(refused).replaceAll(/alter role "?\w+"?/g, 'alter role app');
    expect(said).toContain('statement_timeout is "0"');
    expect(said.replaceAll(/^ +/gm, '')).toContain(documented.trim());
    expect(await isEmpty(url)).toBe(true);
  });
});

test('migrations take as long as they need, no matter what limit the role has', async () => {
  const url = await databaseWith({ statement_timeout: '500ms' });
  await queryPostgres(
    url,
    `create function slow() returns event_trigger language plpgsql as 'begin perform pg_sleep(0.7); end';
     create event trigger slow on ddl_command_end when tag in ('CREATE SCHEMA') execute function slow()`,
  );
  await open(url);
});

/** Passes connections on, except for the limits in their first message. */
async function startPooler(url: string, policy: 'refuses' | 'ignores'): Promise<string> {
  const sockets = new Set<Socket>();
  const pooler = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    near.once('data', (startup) => {
      if (policy === 'refuses' && startup.includes('statement_timeout')) {
        near.end(refusal('08P01', 'unsupported startup parameter: statement_timeout'));
        return;
      }
      const far = connect(listenerOf(url)).on('error', () => undefined);
      sockets.add(far);
      far.write(withoutLimits(startup));
      near.pipe(far).pipe(near);
    });
  });
  const port = await listenOnLoopback(pooler);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
  });
  return replaceInAddress(url, { host: '127.0.0.1', port: String(port) });
}

/** A startup message: its length, a version, and names and values that end with zeros. */
function withoutLimits(startup: Buffer): Buffer {
  const words = startup.toString('latin1', 8).split('\0');
  const kept = words.filter((_, index) => !((words[index - (index % 2)] ?? '') in limits));
  const message = Buffer.concat([startup.subarray(0, 8), Buffer.from(kept.join('\0'), 'latin1')]);
  message.writeInt32BE(message.length);
  return message;
}
