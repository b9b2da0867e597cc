import type { PGlite } from '@electric-sql/pglite';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import type { Notifier } from './notify.ts';
import { openPglite, usePglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';
import type * as schema from './schema.ts';

/** Either engine; only what both answer alike is used: the query builder, `returning`, mappers. */
export type Db = NodePgDatabase<typeof schema>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type OpenDatabase = {
  db: Db;
  engine: 'pglite' | 'postgresql';
  notifier: Notifier;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** Called when the embedded database has crashed: then only a new process can open it again. */
  onCrash(fn: (cause: Error) => void): void;
  close(): Promise<void>;
};

/** Opens the database the configuration names, its schema brought up to date. */
export async function openDatabase(options: {
  config: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir'>;
  log: Logger;
}): Promise<OpenDatabase> {
  const { config, log } = options;
  const { databaseUrl } = config;
  if (databaseUrl === null) return asOne(await openPglite({ dataDir: config.dataDir, log }));
  const migrationDatabaseUrl = config.migrationDatabaseUrl ?? databaseUrl;
  return await openPostgres({ databaseUrl, migrationDatabaseUrl, log });
}

/** A PGlite that is open and migrated already, as tests bring one. */
export function adoptPglite(pglite: PGlite, log: Logger): OpenDatabase {
  return asOne(usePglite(pglite, log));
}

/** Both drivers share drizzle's PostgreSQL query builder; only raw results differ. */
function asOne(database: ReturnType<typeof usePglite>): OpenDatabase {
  return { ...database, db: database.db as unknown as Db };
}
