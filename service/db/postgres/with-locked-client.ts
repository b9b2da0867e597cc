import pg from 'pg';
import { ConnectFailure } from './connect-failure.ts';
import type { DatabaseSetting } from './connect-failure.ts';

/** Session advisory locks that processes hold while they prepare a database; the numbers are arbitrary. */
const advisoryLocks = { migrate: 7_317_443_102, grantRights: 7_317_443_103 };

/**
 * Runs `work` on its own connection while it holds an advisory lock, so that only one process at a
 * time does so. The others wait.
 *
 * @param options.setting the setting that the operator is told to correct if there is no response
 * @throws ConnectFailure
 */
export async function withLockedClient(
  options: { url: string; setting: DatabaseSetting; lock: keyof typeof advisoryLocks },
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const { url, setting, lock } = options;
  const client = new pg.Client({
    connectionString: url,
    application_name: 'conversation-service migrate',
    connectionTimeoutMillis: 5000,
  });
  // A lost connection rejects the running statement, so this event needs no handling.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    throw new ConnectFailure(error, setting);
  }
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks[lock]]);
    await work(client);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}
