import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Logger } from '../../log/log.ts';
import { StartError } from '../../start-error.ts';
import { checkRecordedMigrations, migrationsFolder } from '../recorded-migrations.ts';
import type { DatabaseSetting } from './connect-failure.ts';
import { withLockedClient } from './with-locked-client.ts';

/**
 * Runs the migrations of a PostgreSQL database, one process at a time: processes that start
 * together wait for the first one, and then find nothing to do.
 *
 * @param options.setting the setting that the operator is told to correct if there is no response
 * @throws ConnectFailure
 * @throws StartError for a database from before the first release, and with `mustExist`, if
 *   migrations have never run
 */
export async function migratePostgres(
  url: string,
  options: { log: Logger; mustExist?: boolean; setting?: DatabaseSetting },
): Promise<void> {
  const { log, mustExist = false, setting = 'DATABASE_URL' } = options;
  await withLockedClient({ url, setting, lock: 'migrate', log }, async (client) => {
    const isMigrated = await checkRecordedMigrations((text) => client.query(text));
    if (mustExist && !isMigrated) {
      throw new StartError(
        'There is no installation in the database that DATABASE_URL names. Check DATABASE_URL, or start the service once to create it.',
      );
    }
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    // Its own `begin` has no effect within this transaction, which it commits at its end.
    await migrate(drizzle(client), { migrationsFolder });
  });
}
