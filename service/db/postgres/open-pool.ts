import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { nameStatements } from './name-statements.ts';
import { refuseReadOnly } from './refuse-read-only.ts';
import { statementLimits } from './statement-limits.ts';

/**
 * A network may drop packets without telling either end. This timeout is longer than any statement
 * may take, so a server that sends nothing for this long is unreachable. Idle connections are
 * closed sooner.
 */
const defaultInactivityTimeoutMs = statementLimits.statement_timeout + 5000;

export type PoolOptions = {
  /** Whether each connection keeps frequent statements prepared. */
  databasePrepare: boolean;
  /** Whether connections ask for limits of their statements. Otherwise those of the role apply. */
  takesLimits: boolean;
  log: Logger;
  /** How many milliseconds a connection in use may receive nothing before it counts as lost. */
  inactivityTimeoutMs?: number;
  /** How long a call may wait for a connection: for a new one, or for one that others use. */
  connectionTimeoutMs?: number;
};

/**
 * Opens a pool, which connects when it is first used.
 *
 * @param size `max`: how many connections it has at most; `pipeline`: whether each of them accepts a
 *   statement before the last one has its result
 */
export function openPool(
  connectionString: string,
  options: PoolOptions,
  size: { max: number; pipeline?: boolean },
): pg.Pool {
  const {
    databasePrepare,
    takesLimits,
    log,
    inactivityTimeoutMs = defaultInactivityTimeoutMs,
    connectionTimeoutMs = 5000,
  } = options;
  const pool = new pg.Pool({
    connectionString,
    application_name: 'conversation-service',
    ...size,
    connectionTimeoutMillis: connectionTimeoutMs,
    ...(takesLimits && statementLimits),
    stream: () => openSocket(inactivityTimeoutMs),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise
    onConnect: refuseReadOnly,
  });
  listenForLostConnections(pool, log);
  if (databasePrepare) nameStatements(pool);
  return pool;
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
