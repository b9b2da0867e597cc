import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { batchReads } from './batch-reads.ts';
import { ConnectFailure, isStarting } from './connect-failure.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { grantRights } from './grant-rights.ts';
import { nameStatements } from './name-statements.ts';
import { createPostgresNotifier } from './postgres-notifier.ts';
import { refuseReadOnly } from './refuse-read-only.ts';
import { requireSameDatabase } from './require-same-database.ts';
import { tables } from '../schema/tables.ts';

const defaultPatienceMs = 30_000;
const statementTimeoutMs = 30_000;
/**
 * A network may drop packets without telling either end. This timeout is longer than any statement
 * may take, so a server that sends nothing for this long is unreachable. Idle connections are
 * closed sooner.
 */
const defaultInactivityTimeoutMs = statementTimeoutMs + 5000;

export async function openPostgres(options: {
  databaseUrl: string;
  migrationDatabaseUrl: string;
  /** Whether each connection keeps frequent statements prepared. */
  databasePrepare?: boolean;
  log: Logger;
  /** Whether to refuse a database without the service's tables, instead of creating them. */
  mustExist?: boolean;
  /** How many milliseconds to wait for a server that cannot be reached. */
  patienceMs?: number;
  /** How many milliseconds a connection in use may receive nothing before it counts as lost. */
  inactivityTimeoutMs?: number;
  /** How long a call may wait for a connection: for a new one, or for one that others use. */
  connectionTimeoutMs?: number;
}) {
  const {
    databaseUrl,
    migrationDatabaseUrl,
    databasePrepare = true,
    log,
    mustExist = false,
    patienceMs = defaultPatienceMs,
    inactivityTimeoutMs = defaultInactivityTimeoutMs,
    connectionTimeoutMs = 5000,
  } = options;
  const isOwnUrl = migrationDatabaseUrl !== databaseUrl;
  const setting = isOwnUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  const prepare = async () => {
    if (isOwnUrl) await requireSameDatabase({ databaseUrl, migrationDatabaseUrl });
    await migratePostgres(migrationDatabaseUrl, { log, mustExist, setting });
  };
  await whenReachable(prepare, { patienceMs, log });

  const poolOptions = { databasePrepare, log, inactivityTimeoutMs, connectionTimeoutMs };
  const pool = openPool(databaseUrl, { ...poolOptions, max: 10 });
  // The worker claims, takes and settles at the same time, and its heartbeat must not wait for
  // these.
  const workerPool = openPool(databaseUrl, { ...poolOptions, max: 4 });
  const readers = openPool(databaseUrl, { ...poolOptions, max: 2, pipeline: true });
  await tryConnection(pool);
  if (isOwnUrl) {
    await closingOnFailure(pool, grantRights({ migrationDatabaseUrl, pool, log }));
  }
  // A pooler without prepared statements may also not accept several statements at once.
  if (databasePrepare) batchReads(pool, readers);
  // Connects only when it is used: at the start, and once an hour.
  const maintenancePool = isOwnUrl
    ? openPool(migrationDatabaseUrl, { ...poolOptions, max: 1 })
    : pool;
  const notifier = createPostgresNotifier({ connectionString: databaseUrl, pool, log });

  return {
    db: drizzle(pool, { schema: tables }),
    workerDb: drizzle(workerPool, { schema: tables }),
    maintenanceDb: drizzle(maintenancePool, { schema: tables }),
    engine: 'postgresql' as const,
    notifier,
    async ping() {
      await pool.query('select 1');
    },
    onCrash() {
      // A server that crashes starts again by itself.
    },
    async close() {
      await notifier.close();
      await Promise.all([pool, workerPool, readers].map(async (each) => await each.end()));
      if (isOwnUrl) await maintenancePool.end();
    },
  };
}

function openPool(
  connectionString: string,
  {
    databasePrepare,
    log,
    inactivityTimeoutMs,
    connectionTimeoutMs,
    ...size
  }: {
    databasePrepare: boolean;
    log: Logger;
    inactivityTimeoutMs: number;
    connectionTimeoutMs: number;
    max: number;
    pipeline?: boolean;
  },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'conversation-service',
    ...size,
    connectionTimeoutMillis: connectionTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    stream: () => openSocket(inactivityTimeoutMs),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise
    onConnect: refuseReadOnly,
  });
  listenForLostConnections(pool, log);
  if (databasePrepare) nameStatements(pool);
  return pool;
}

async function closingOnFailure(pool: pg.Pool, act: Promise<void>): Promise<void> {
  try {
    await act;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * @throws ConnectFailure before anything else uses the pool, for example if the user is wrong, or if
 *   a pooler refuses the parameters of the connections
 */
async function tryConnection(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new ConnectFailure(error, 'DATABASE_URL');
  }
}

function openSocket(inactivityTimeoutMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(inactivityTimeoutMs, () => {
    const error = new Error(`The database did not respond for ${inactivityTimeoutMs} ms.`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
  return socket;
}

/**
 * Any connection may break at any moment, and an error without a listener would end the process.
 * The pool listens to idle connections. A broken connection that is in use is released here at
 * once: its next statement fails, and its user might never release it. (Drizzle does not, if the
 * `begin` of a transaction fails.)
 */
function listenForLostConnections(pool: pg.Pool, log: Logger): void {
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (!inUse.has(client)) return;
      log.warn({ err: error }, 'a database connection was lost in the middle of its use');
      client.release(error);
      // The user of the connection releases it as well, and the pool would throw then.
      client.release = () => undefined;
    });
  });
}

/**
 * Waits for a database that is still starting, as with Docker Compose; any other failure is final.
 */
async function whenReachable(
  act: () => Promise<void>,
  { patienceMs, log }: { patienceMs: number; log: Logger },
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      await act();
      return;
    } catch (error) {
      if (!isStarting(error) || performance.now() >= giveUpAt) throw error;
      if (!hasSaid) log.warn({ err: error }, 'waiting for the database');
      await pause(1000);
    }
  }
}
