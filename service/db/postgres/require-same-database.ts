import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { ConnectFailure } from './connect-failure.ts';
import type { DatabaseSetting } from './connect-failure.ts';
import { refuseReadOnly } from './open-pool.ts';
import { connect } from './with-locked-client.ts';

/**
 * Refuses a MIGRATION_DATABASE_URL that leads to another database than DATABASE_URL. Migrations
 * would create the tables in one database, and the service would use the other.
 *
 * @throws ConnectFailure
 * @throws StartError
 */
export async function requireSameDatabase(urls: {
  databaseUrl: string;
  migrationDatabaseUrl: string;
}): Promise<void> {
  const one = await connectToWrite(urls.migrationDatabaseUrl, 'MIGRATION_DATABASE_URL');
  try {
    const other = await connectToWrite(urls.databaseUrl, 'DATABASE_URL');
    try {
      if (await areSameDatabase(one, other)) return;
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
  throw new StartError(
    'DATABASE_URL and MIGRATION_DATABASE_URL lead to different databases. Give both the same server and database, and different roles.',
  );
}

/** Refuses a standby: it has locks of its own, so it would seem to be another database. */
async function connectToWrite(url: string, setting: DatabaseSetting): Promise<pg.Client> {
  const client = await connect({ url, setting });
  try {
    await refuseReadOnly(client);
    return client;
  } catch (error) {
    await client.end();
    throw new ConnectFailure(error, setting);
  }
}

/**
 * Whether the other connection sees a lock that this one holds. The names of servers and databases
 * cannot be compared, because a pooler or an alias may have names of its own.
 */
async function areSameDatabase(one: pg.Client, other: pg.Client): Promise<boolean> {
  const lock = randomInt(2 ** 47);
  await one.query('begin');
  await one.query('select pg_advisory_xact_lock($1)', [lock]);
  const { rows } = await other.query<{ is_free: boolean }>(
    'select pg_try_advisory_xact_lock($1) as is_free',
    [lock],
  );
  return rows[0]?.is_free === false;
}
