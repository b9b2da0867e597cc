import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { PGliteOptions } from '@electric-sql/pglite';
import pg from 'pg';
import { migratePglite } from '../db/migrate.ts';
import { adoptPglite, openDatabase } from '../db/open.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Logger } from '../log/log.ts';
import { cachedDatabasePath } from './cached-database-path.ts';

/** A migrated database of its own, gone when closed. */
export async function openTestDatabase(
  engine: OpenDatabase['engine'],
  log: Logger,
): Promise<OpenDatabase> {
  return engine === 'pglite' ? await openMemory(log) : await openFreshDatabase(log);
}

async function openMemory(log: Logger): Promise<OpenDatabase> {
  return adoptPglite(await createMemoryPglite(), log);
}

/**
 * PGlite in memory, from an image of a migrated one: making a cluster takes seconds, this does not.
 * What all of them share is read and compiled once in a process.
 */
export async function createMemoryPglite(): Promise<PGlite> {
  shared ??= prepareShared();
  return await PGlite.create(await shared);
}

let shared: Promise<SharedParts> | undefined;

type SharedParts = Required<
  Pick<PGliteOptions, 'loadDataDir' | 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle'>
>;

async function prepareShared(): Promise<SharedParts> {
  const distributed = (name: string) =>
    readFile(new URL(name, import.meta.resolve('@electric-sql/pglite')));
  const [loadDataDir, pgliteWasmModule, initdbWasmModule, fileSystem] = await Promise.all([
    readOrMakeImage(`${await cachedDatabasePath()}.tar`),
    WebAssembly.compile(await distributed('pglite.wasm')),
    WebAssembly.compile(await distributed('initdb.wasm')),
    distributed('pglite.data'),
  ]);
  const fsBundle = new Blob([fileSystem]);
  return { loadDataDir, pgliteWasmModule, initdbWasmModule, fsBundle };
}

async function readOrMakeImage(path: string): Promise<Blob> {
  // Read whole: a file-backed blob breaks when another worker renames its own image over it.
  return existsSync(path) ? new Blob([await readFile(path)]) : await makeImage(path);
}

async function makeImage(path: string): Promise<Blob> {
  const pglite = await PGlite.create();
  await migratePglite(pglite);
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, image.stream());
  await rename(unfinished, path);
  return image;
}

async function openFreshDatabase(log: Logger): Promise<OpenDatabase> {
  const fresh = await createPostgresDatabase();
  const database = await openDatabase({
    config: { databaseUrl: fresh.url, migrationDatabaseUrl: null, dataDir: '' },
    log,
  });
  return {
    ...database,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}

/** An empty database on the server that TEST_DATABASE_URL names. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error('TEST_DATABASE_URL names no PostgreSQL to test on.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOnServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function runOnServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
