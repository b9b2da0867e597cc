import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { retryPauseMs } from '../../timing/retry-pause.ts';
import { ConnectFailure } from './connect-failure.ts';
import type { DatabaseSetting } from './connect-failure.ts';
import type { statementLimits } from './open-pool.ts';

/** Advisory locks that processes hold while they prepare a database; the numbers are arbitrary. */
const advisoryLocks = { migrate: 7_317_443_102, grantRights: 7_317_443_103 };

/**
 * Runs `work` on its own connection while another one holds an advisory lock, so that only one
 * process at a time does so. The others wait.
 *
 * @param options.setting the setting that the operator is told to correct if there is no response
 * @throws ConnectFailure
 */
export async function withLockedClient(
  options: {
    url: string;
    setting: DatabaseSetting;
    lock: keyof typeof advisoryLocks;
    log: Logger;
  },
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const holder = await connect(options);
  try {
    await takeLock(holder, options);
    const client = await connect(options);
    try {
      await work(client);
    } finally {
      await client.end();
    }
  } finally {
    // Ending the session ends its transaction, and so releases the lock.
    await holder.end();
  }
}

/**
 * Opens a connection that is used only while a database is prepared.
 * @throws ConnectFailure
 */
export async function connect({
  url,
  setting,
  limits = {},
}: {
  url: string;
  setting: DatabaseSetting;
  limits?: Partial<typeof statementLimits>;
}): Promise<pg.Client> {
  let client: pg.Client | null = null;
  try {
    // Reads the files that the address names.
    client = new pg.Client({
      connectionString: url,
      application_name: 'conversation-service migrate',
      connectionTimeoutMillis: 5000,
      ...limits,
    });
    // A lost connection rejects the running statement, so this event needs no handling.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    await client?.end();
    throw new ConnectFailure(error, setting);
  }
}

/** Takes the lock. Until another process has released it, tries again several times a second. */
async function takeLock(
  holder: pg.Client,
  { lock, log }: { lock: keyof typeof advisoryLocks; log: Logger },
): Promise<void> {
  for (let hasSaid = false; !(await tryLock(holder, lock)); hasSaid = true) {
    if (!hasSaid) log.warn('waiting for another process that prepares the database');
    await pause(retryPauseMs());
  }
}

/**
 * Takes the lock for a transaction, which stays open: behind a pooler in transaction mode, a lock
 * of the session would stay with the pooler's connection, and later starts would wait for it. A
 * process without the lock leaves no transaction open, because that would keep a connection of the
 * pooler, and the process with the lock needs another one.
 *
 * @returns whether it got the lock
 */
async function tryLock(holder: pg.Client, lock: keyof typeof advisoryLocks): Promise<boolean> {
  await holder.query('begin');
  await holder.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await holder.query<{ is_taken: boolean }>(
    'select pg_try_advisory_xact_lock($1) as is_taken',
    [advisoryLocks[lock]],
  );
  if (rows[0]?.is_taken === true) return true;
  await holder.query('rollback');
  return false;
}
