import pg from 'pg';
import type { Logger } from '../../log/log.ts';
import { retryPauseMs } from '../../timing/retry-pause.ts';
import type { ClosableNotifier } from '../notifier.ts';

/** A notifier on PostgreSQL. It has its own connection, because a pool closes connections. */
export function createPostgresNotifier(options: {
  connectionString: string;
  pool: pg.Pool;
  log: Logger;
}): ClosableNotifier {
  return new PostgresNotifier(options);
}

/** A peer that disappears without closing is noticed after one interval plus the time-out. */
const heartbeatMs = 10_000;
const heartbeatTimeoutMs = 3000;

/** Listens on one connection, and opens a new one when that is lost. */
class PostgresNotifier implements ClosableNotifier {
  readonly #connectionString: string;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #onReconnect = new Set<() => void>();
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Settles once the connection has responded to every statement. */
  #asked: Promise<unknown> = Promise.resolve();
  #isDown = false;
  #isClosed = false;

  constructor(options: { connectionString: string; pool: pg.Pool; log: Logger }) {
    this.#connectionString = options.connectionString;
    this.#pool = options.pool;
    this.#log = options.log;
    void this.#connect();
  }

  subscribe(channel: string, onMessage: (payload: string) => void): void {
    const known = this.#listeners.get(channel);
    this.#listeners.set(channel, (known ?? new Set()).add(onMessage));
    const client = this.#client;
    if (known === undefined && client !== null) {
      this.#listen(client, channel).catch((error: unknown) => this.#lose(client, error));
    }
  }

  onReconnect(fn: () => void): void {
    this.#onReconnect.add(fn);
  }

  async publish(channel: string, payload: string): Promise<void> {
    await this.#pool.query('select pg_notify($1, $2)', [channel, payload]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: 'conversation-service listen',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      query_timeout: heartbeatTimeoutMs,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection ended.')));
    client.on('notification', ({ channel, payload }) => {
      for (const onMessage of this.#listeners.get(channel) ?? []) onMessage(payload ?? '');
    });
    this.#client = client;
    this.#asked = Promise.resolve();
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await this.#listen(client, channel);
    } catch (error) {
      this.#lose(client, error);
      return;
    }
    if (this.#client !== client) return;
    if (this.#isDown) this.#log.info('listening for notifications again');
    this.#isDown = false;
    for (const fn of this.#onReconnect) fn();
    this.#scheduleHeartbeat(client);
  }

  #scheduleHeartbeat(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#timer = setTimeout(() => {
      this.#ask(client, 'select 1').then(
        () => this.#scheduleHeartbeat(client),
        (error: unknown) => this.#lose(client, error),
      );
    }, heartbeatMs).unref();
  }

  /** Gives up the connection, only once, and opens another after a pause. */
  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = null;
    client.end().catch(() => undefined);
    if (!this.#isDown) {
      this.#log.warn({ err: error }, 'not listening for notifications: connection lost');
    }
    this.#isDown = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), retryPauseMs()).unref();
  }

  async #listen(client: pg.Client, channel: string): Promise<void> {
    await this.#ask(client, `listen ${client.escapeIdentifier(channel)}`);
  }

  /** Runs statements one after another, because the driver's connection runs one at a time. */
  async #ask(client: pg.Client, statement: string): Promise<void> {
    const result = this.#asked.then(() => client.query(statement));
    this.#asked = result.catch(() => undefined);
    await result;
  }
}
