import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import type { EmbeddedDatabase } from './embedded/open-pglite.ts';
import type { Notifier } from './notifier.ts';
import type { tables } from './schema/tables.ts';

/** Either engine; only what both answer alike is used: the query builder, `returning`, mappers. */
export type Db = NodePgDatabase<typeof tables>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type OpenDatabase = {
  db: Db;
  /**
   * The same database for the delivery worker. On PostgreSQL it has connections of its own: calls that
   * hold all others for seconds must delay neither deliveries nor heartbeats.
   */
  workerDb: Db;
  /** The same database with the rights of MIGRATION_DATABASE_URL. */
  maintenanceDb: Db;
  engine: 'pglite' | 'postgresql';
  notifier: Notifier;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** Called when the embedded database has crashed: then only a new process can open it again. */
  onCrash(fn: (cause: Error) => void): void;
  close(): Promise<void>;
};

/** For commands, which open a database without serving it. */
export type OpenOptions = {
  /** Whether to refuse a place that holds no installation, instead of creating one there. */
  mustExist?: boolean;
  /** How long to wait for a server that cannot be reached, in milliseconds. */
  patienceMs?: number;
};

/**
 * Opens the database the configuration names, its schema brought up to date. Only the engine in use
 * is loaded: each takes a few megabytes.
 *
 * @throws StartError if it cannot be opened and the operator can do something about it
 */
export async function openDatabase(
  options: OpenOptions & {
    config: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir'> &
      Partial<Pick<Config, 'databasePrepare'>>;
    log: Logger;
  },
): Promise<OpenDatabase> {
  const { config, ...others } = options;
  const { databaseUrl, databasePrepare = true, dataDir } = config;
  if (databaseUrl === null) {
    const { openPglite } = await import('./embedded/open-pglite.ts');
    return asOne(await openPglite({ dataDir, ...others }));
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  const migrationDatabaseUrl = config.migrationDatabaseUrl ?? databaseUrl;
  return await openPostgres({ databaseUrl, migrationDatabaseUrl, databasePrepare, ...others });
}

/** Both drivers share drizzle's PostgreSQL query builder; only raw results differ. */
export function asOne(database: EmbeddedDatabase): OpenDatabase {
  const db = database.db as unknown as Db;
  return { ...database, db, workerDb: db, maintenanceDb: db };
}
