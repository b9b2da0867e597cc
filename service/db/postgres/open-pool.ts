import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { sqlstate } from '../../sqlstate.ts';
import { GatheringSocket } from '../statements/hot-read.ts';
import { maxPreparedStatements, maxPreparedTextLength } from '../statements/prepared-limits.ts';

/** How many milliseconds a statement, and a transaction without a statement, may take. */
export const statementLimits = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
};

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
    stream: () => {
      const socket = size.pipeline ? new GatheringSocket() : new Socket();
      return endsWhenInactive(socket, inactivityTimeoutMs);
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise
    onConnect: refuseReadOnly,
  });
  listenForLostConnections(pool, log);
  if (databasePrepare) nameStatements(pool);
  return pool;
}

function endsWhenInactive(socket: Socket, inactivityTimeoutMs: number): Socket {
  socket.setTimeout(inactivityTimeoutMs, () => {
    const error = new Error(`The database did not respond for ${inactivityTimeoutMs} ms.`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
  return socket;
}

/**
 * Any connection may break at any moment, and an error without a listener would end the process.
 * The pool listens to idle connections. A broken connection that is in use is released here
 * immediately: its next statement fails, and its user might never release it. (Drizzle does not, if
 * the `begin` of a transaction fails.)
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
 * Refuses a new connection to a server that takes no writes. After a failover, the name of the
 * server may lead to the old primary for a while, which is a standby now: the pool would keep such
 * connections for as long as they are used, although new ones would reach the new primary. A server
 * that becomes a standby ends its connections, so a check of new ones is enough.
 *
 * @throws an error with the code of a statement that tries to write there
 */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'show transaction_read_only',
  );
  if (rows[0]?.transaction_read_only !== 'on') return;
  const error = new Error('The server is read-only, as a standby is.');
  throw Object.assign(error, { code: sqlstate.readOnlySqlTransaction });
}

/** Names repeated statements, so that each connection keeps them prepared: parsed and planned. */
function nameStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const names = new StatementNames();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((config: unknown, ...others: unknown[]) => {
      const [values] = others;
      // Statements without values are sent as text, because they may contain several commands.
      if (!isStatement(config) || !Array.isArray(values) || values.length === 0) {
        return query(config, ...others);
      }
      const name = names.of(config.text);
      return query(name === undefined ? config : { ...config, name }, ...others);
    }) as typeof client.query;
  });
}

/** The names of one connection's prepared statements. */
class StatementNames {
  readonly #names = new Map<string, string>();
  /** Statements that were used once, the latest last. */
  readonly #seen = new Set<string>();

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (text.length > maxPreparedTextLength || this.#names.size === maxPreparedStatements)
      return undefined;
    if (!this.#seen.delete(text)) {
      this.#seen.add(text);
      const [oldest] = this.#seen;
      if (this.#seen.size > maxPreparedStatements && oldest !== undefined)
        this.#seen.delete(oldest);
      return undefined;
    }
    const name = `s${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

function isStatement(config: unknown): config is { text: string } {
  if (typeof config !== 'object' || config === null || !('text' in config)) return false;
  return typeof config.text === 'string' && !('name' in config && config.name);
}
