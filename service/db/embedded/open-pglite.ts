import { chmodSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { errorCode } from '../../error-code.ts';
import type { Logger } from '../../log/log.ts';
import { makeFolder } from '../../make-folder.ts';
import { StartError } from '../../start-error.ts';
import type { ClosableNotifier, Notifier } from '../notifier.ts';
import { checkRecordedMigrations, migrationsFolder } from '../recorded-migrations.ts';
import { tables } from '../schema/tables.ts';
import type { ReadRows } from '../statements/hot-read.ts';
import type { Connection } from './client/connection.ts';
import { EmbeddedClient } from './client/embedded-client.ts';
import { loadValueTypes } from './client/value-types.ts';
import { hasLittleMemory } from './has-little-memory.ts';
import type { HeldLock } from './held-lock.ts';
import { lockDataDir } from './lock.ts';
import {
  OpenError,
  startDatabaseThread,
  type DatabaseThread,
} from './thread/start-database-thread.ts';

export type EmbeddedDatabase = {
  db: PgliteDatabase<typeof tables> & { readRows: ReadRows };
  engine: 'pglite';
  notifier: Notifier;
  ping(): Promise<void>;
  onCrash(fn: (cause: Error) => void): void;
  close(): Promise<void>;
};

/**
 * Opens the embedded database in `dataDir`, which no other process can then open.
 *
 * @param options.mustExist whether to refuse a folder without a database, and leave it unchanged
 * @param options.onOpening called once its thread has started
 */
export async function openPglite(options: {
  dataDir: string;
  log: Logger;
  mustExist?: boolean;
  onOpening?: () => void;
}): Promise<EmbeddedDatabase> {
  const { dataDir, log, mustExist = false, onOpening = () => undefined } = options;
  const folder = join(dataDir, 'pglite');
  const isMissing = async () => mustExist && !(await isCreated(folder));
  // A process that has the lock may be about to create the database.
  if ((await isMissing()) && !(await exists(join(dataDir, 'lock')))) throw nothingIn(dataDir);
  // PGlite creates its files with mode 0666: the umask removes the rights of other users.
  process.umask(0o077);
  await makeFolder(dataDir);
  const lock = await lockDataDir(dataDir, log);
  try {
    if (await isMissing()) throw nothingIn(dataDir);
    const isOptimized = !hasLittleMemory();
    if (!isOptimized) log.info(unoptimizedMessage);
    const { connection, client } = await openMigrated(folder, { lock, isOptimized, onOpening });
    try {
      // After opening, because the files of a new database are copied with their original rights.
      protectData(dataDir, log);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return {
      ...createEmbeddedDatabase(connection, client, log),
      async close() {
        try {
          lock.check();
          await client.query('checkpoint');
        } finally {
          await connection.close();
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Throws if it cannot tell, for example in a folder that this user may not enter. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function nothingIn(dataDir: string): StartError {
  return new StartError(
    `There is no installation in the data folder ${dataDir}. Check DATA_DIR, or start the service once to create it.`,
  );
}

function incompleteIn(folder: string): StartError {
  return new StartError(
    `${folder} has files, but no database: PG_VERSION is missing. Restore the whole folder from a backup. If there never was a complete start, remove the folder, and start again.`,
  );
}

/** The PostgreSQL version inside the installed PGlite. It opens no folder of another one. */
export const embeddedMajorVersion = 18;

async function refuseOtherMajorVersion(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null || Number(version.trim()) === embeddedMajorVersion) return;
  throw new StartError(
    `${folder} was created by PostgreSQL ${version.trim()}, and this version of the service embeds PostgreSQL ${embeddedMajorVersion}. Start the version of the service that created it.`,
  );
}

type OpenOptions = { lock: HeldLock; isOptimized: boolean; onOpening: () => void };

/** A file that exists while the database is created: a process may be killed in between. */
const markOf = (folder: string) => `${folder}.unfinished`;

async function isCreated(folder: string): Promise<boolean> {
  return (await exists(join(folder, 'PG_VERSION'))) && !(await exists(markOf(folder)));
}

/** Nothing was stored yet in a database that was not created to the end. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rm(markOf(folder), { force: true });
}

async function openMigrated(folder: string, options: OpenOptions): Promise<Opened> {
  const { lock } = options;
  if (await exists(markOf(folder))) await remove(folder);
  const isNew = !(await exists(join(folder, 'PG_VERSION')));
  if (isNew) {
    if ((await exists(folder)) && (await readdir(folder)).length > 0) throw incompleteIn(folder);
    await writeFile(markOf(folder), '', { flush: true });
  }
  await refuseOtherMajorVersion(folder);
  try {
    const opened = await createMigrated(folder, options);
    await rm(markOf(folder), { force: true });
    return opened;
  } catch (error) {
    lock.check();
    // Otherwise it is another process's database.
    if (isNew && !lock.lost.aborted) await remove(folder);
    if (!isNew && error instanceof OpenError && error.isAbort) {
      throw new StartError(
        `The embedded database in ${folder} does not open. Check that its disk has free space and that all its files belong to the user who runs the service; if so, it may be damaged: restore a backup.`,
        { cause: error },
      );
    }
    throw error;
  }
}

type Opened = { connection: Connection; client: EmbeddedClient };

async function createMigrated(
  folder: string,
  { lock, isOptimized, onOpening }: OpenOptions,
): Promise<Opened> {
  const starting = startDatabaseThread({ folder, startParams, isOptimized });
  onOpening();
  const thread = await starting;
  const connection = writeOnlyLocked(thread, lock);
  try {
    const client = new EmbeddedClient(connection.send, await loadValueTypes(connection.send));
    await migratePglite(client.asPglite());
    return { connection, client };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Sends nothing to the database, and stops it immediately, when this process has lost the lock. */
function writeOnlyLocked(thread: DatabaseThread, lock: HeldLock): Connection {
  const abandon = () => {
    thread.abandon('This process has lost the lock of the data folder.');
  };
  if (lock.lost.aborted) abandon();
  else lock.lost.addEventListener('abort', abandon);
  return {
    ...thread,
    async send(message) {
      lock.checkAfterSilence();
      return await thread.send(message);
    },
  };
}

const unoptimizedMessage =
  'V8 does not optimize the embedded database, because this machine or container has less than 1.5 GiB of memory. Statements take up to a fifth longer.';

/**
 * PostgreSQL's default is 128 MB, all of which is written when the database opens. Pages that are
 * not in these buffers are read from files, which the operating system caches too.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/** The service's database, over a connection to one whose migrations have run. */
export function createEmbeddedDatabase(
  connection: Connection,
  client: EmbeddedClient,
  log: Logger,
): EmbeddedDatabase {
  const readRows: ReadRows = async (text, values) =>
    (await client.query(text, values, { rowMode: 'array' })).rows;
  return {
    db: Object.assign(drizzle(client.asPglite(), { schema: tables }), { readRows }),
    engine: 'pglite',
    notifier: createPgliteNotifier(client, log),
    async ping() {
      await client.query('select 1');
    },
    onCrash: connection.onCrash,
    close: connection.close,
  };
}

/** Migrates the embedded database's schema. The folder's lock keeps other processes out. */
export async function migratePglite(pglite: PGlite): Promise<void> {
  await checkRecordedMigrations((text) => pglite.query(text));
  await migrate(drizzle(pglite), { migrationsFolder });
}

/** A notifier on the embedded database, whose one connection gets its own notifications. */
function createPgliteNotifier(client: EmbeddedClient, log: Logger): ClosableNotifier {
  return {
    subscribe(channel, onMessage) {
      // Queries run in the order in which they were issued, so anything published after this call
      // is received.
      client.listen(channel, onMessage).catch((error: unknown) => {
        log.error({ err: error, channel }, 'cannot listen for notifications');
      });
    },
    onReconnect() {
      // The connection lives as long as the process.
    },
    async publish(channel, payload) {
      await client.query('select pg_notify($1, $2)', [channel, payload]);
    },
    async close() {
      // Closing the database ends listening.
    },
  };
}

const othersMask = 0o077;

/**
 * Makes the embedded database's files accessible to their owner only, or logs a warning. There are
 * more than a thousand, for which asynchronous calls would take much longer.
 */
function protectData(dataDir: string, log: Logger): void {
  try {
    protect(dataDir);
    for (const entry of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      if (entry.startsWith('pglite')) protect(join(dataDir, entry));
    }
  } catch (error) {
    log.warn(
      { err: error, data_dir: dataDir },
      'could not restrict the data folder to its owner; other users of this machine may read it',
    );
  }
}

function protect(path: string): void {
  const { mode } = statSync(path);
  if ((mode & othersMask) !== 0) chmodSync(path, mode & 0o700);
}
