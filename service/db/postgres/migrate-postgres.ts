import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { errorCode, withCauses } from '../../error-code.ts';
import type { Logger } from '../../log/log.ts';
import { sqlstate } from '../../sqlstate.ts';
import { StartError } from '../../start-error.ts';
import { retryPauseMs } from '../../timing/retry-pause.ts';
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
    await migrateBesideOthers(client, log);
  });
}

/**
 * Calls that need a table wait behind a migration that waits for it. So the migration waits only
 * for a moment at a time, and lets them pass before it tries again.
 */
const lockTimeoutMs = 1000;
/** Many times longer than a transaction of the service takes. */
const maxTries = 200;

/** Runs the migrations while processes of the version before use the database. */
async function migrateBesideOthers(client: pg.Client, log: Logger): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query('begin');
      await client.query('set local statement_timeout = 0');
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      // Its own `begin` has no effect within this transaction, which it commits at its end.
      await migrate(drizzle(client), { migrationsFolder });
      return;
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries === maxTries) {
        throw new StartError(
          'The tables could not be changed, because a long transaction uses them. End it (pg_stat_activity lists them), and start again.',
          { cause: error },
        );
      }
      if (tries === 1) log.warn('a migration waits for transactions that use its tables');
      await pause(retryPauseMs());
    }
  }
}

function isLocked(error: unknown): boolean {
  return Array.from(withCauses(error), errorCode).some(
    (code) => code === sqlstate.lockNotAvailable || code === sqlstate.deadlockDetected,
  );
}
