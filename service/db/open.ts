import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import type { Connections } from '../metrics.ts';
import type { EmbeddedDatabase } from './embedded/open-pglite.ts';
import type { Notifier } from './notifier.ts';
import type { tables } from './schema/tables.ts';
import type { ReadRows } from './statements/hot-read.ts';

/** A database of either engine. Use only what both support: the query builder, `returning`. */
export type Db = NodePgDatabase<typeof tables> & {
  /** For `hotRead` only. */
  readRows?: ReadRows;
};
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type OpenDatabase = {
  db: Db;
  /** For the delivery worker: own connections on PostgreSQL, so that calls do not delay it. */
  workerDb: Db;
  /** The same database with the rights of MIGRATION_DATABASE_URL. */
  maintenanceDb: Db;
  engine: 'pglite' | 'postgresql';
  notifier: Notifier;
  /** The connections to a server, by what uses them; undefined for the embedded database. */
  connections?: () => Record<string, Connections>;
  /** Resolves if the database responds. */
  ping(): Promise<void>;
  /** Called when the embedded database has crashed: only a new process can open it again. */
  onCrash(fn: (cause: Error) => void): void;
  close(): Promise<void>;
};

/** For commands, which open a database without serving requests. */
type OpenOptions = {
  /** Whether to refuse a database without an installation, instead of creating one there. */
  mustExist?: boolean;
  /** How many milliseconds to wait for a server that cannot be reached. */
  patienceMs?: number;
};

/**
 * Opens the database in the configuration and runs its migrations. Only the engine in use is
 * loaded, because each takes a few megabytes.
 *
 * @throws StartError if it cannot be opened and the operator can do something about it
 */
export async function openDatabase(
  options: OpenOptions & {
    config: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir'> &
      Partial<Pick<Config, 'databasePrepare'>>;
    log: Logger;
    /** Called once another thread opens the embedded database. */
    onOpening?: () => void;
  },
): Promise<OpenDatabase> {
  const { config, onOpening = () => undefined, ...others } = options;
  const { databaseUrl, databasePrepare = true, dataDir } = config;
  if (databaseUrl === null) {
    const { openPglite } = await import('./embedded/open-pglite.ts');
    return asOpenDatabase(await openPglite({ dataDir, onOpening, ...others }));
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  const migrationDatabaseUrl = config.migrationDatabaseUrl ?? databaseUrl;
  return await openPostgres({ databaseUrl, migrationDatabaseUrl, databasePrepare, ...others });
}

/** Both drivers share drizzle's PostgreSQL query builder; only raw results differ. */
export function asOpenDatabase(database: EmbeddedDatabase): OpenDatabase {
  const db = database.db as unknown as Db;
  return { ...database, db, workerDb: db, maintenanceDb: db };
}
