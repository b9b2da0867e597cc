import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { migrationsFolder } from '../migrations-folder.ts';
import { ConnectFailure } from './connect-failure.ts';
import type { DatabaseSetting } from './connect-failure.ts';

/** The advisory lock that a process holds while it migrates the schema; the number is arbitrary. */
const advisoryLock = 7_317_443_102;

/**
 * Brings a PostgreSQL database's schema up to date, one process at a time: those that start
 * together wait for the first and then find nothing to do.
 *
 * @param options.setting what the operator is told to correct if nobody answers
 * @throws ConnectFailure
 * @throws StartError with `mustExist`, if it was never migrated
 */
export async function migratePostgres(
  connectionString: string,
  options: { mustExist?: boolean; setting?: DatabaseSetting } = {},
): Promise<void> {
  const { mustExist = false, setting = 'DATABASE_URL' } = options;
  const client = new pg.Client({
    connectionString,
    application_name: 'conversation-service migrate',
    connectionTimeoutMillis: 5000,
  });
  // A lost connection rejects the running statement; this event needs no handling of its own.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    throw new ConnectFailure(error, setting);
  }
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    if (mustExist && !(await isMigrated(client))) {
      throw new StartError(
        'There is no installation in the database that DATABASE_URL names. Check DATABASE_URL, or start the service once to create it.',
      );
    }
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    // Ending the session gives up the lock.
    await client.end();
  }
}

/** Whether the database has the table in which migrations are counted. */
async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_migrated: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as is_migrated`,
  );
  return rows[0]?.is_migrated === true;
}
