import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { expect } from 'vitest';
import type { Environment } from '../../config/environment.ts';
import { openDatabase } from '../../db/open.ts';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { tables } from '../../db/schema/tables.ts';
import { newToken } from '../../tokens/token.ts';
import { createMigratedPostgres } from '../databases/postgres-database.ts';
import { startReceiver } from '../delivery/receiver.ts';
import type { Receiver } from '../delivery/receiver.ts';
import { reachesLoopback } from '../delivery/sender.ts';
import { TestLog } from '../logger.ts';
import { errorsIn, startService, startServiceIn } from '../processes/service-process.ts';
import type { ServiceProcess } from '../processes/service-process.ts';

/**
 * An installation whose services may be killed, with the receiver of its webhooks and access to its
 * data.
 */
export class DeliveryInstallation {
  readonly engine: OpenDatabase['engine'];
  readonly receiver: Receiver;
  /** The token of the first key. */
  readonly token = newToken();
  readonly #storage: Storage;
  readonly #log: TestLog;
  readonly #services: ServiceProcess[] = [];

  private constructor(options: {
    engine: OpenDatabase['engine'];
    receiver: Receiver;
    storage: Storage;
    log: TestLog;
  }) {
    this.engine = options.engine;
    this.receiver = options.receiver;
    this.#storage = options.storage;
    this.#log = options.log;
  }

  static async open(engine: OpenDatabase['engine']): Promise<DeliveryInstallation> {
    const log = new TestLog();
    const storage = engine === 'pglite' ? await inFolder(log) : await onServer();
    return new DeliveryInstallation({ engine, receiver: await startReceiver(), storage, log });
  }

  get databaseUrl(): string {
    return this.#storage.environment['DATABASE_URL'] ?? '';
  }

  /**
   * @param roles only with a server: the embedded database serves one process, which has all roles
   */
  async start(roles: string, ...preloads: URL[]): Promise<ServiceProcess> {
    const service = await startService(this.environment(roles), ...preloads);
    this.#services.push(service);
    return service;
  }

  /** Starts a service from a copy of the repository, which may be another version. */
  async startIn(folder: string, roles: string): Promise<ServiceProcess> {
    const service = await startServiceIn(folder, this.environment(roles));
    this.#services.push(service);
    return service;
  }

  environment(roles: string): Environment {
    return {
      ...usual,
      ...this.#storage.environment,
      ...(this.engine === 'postgresql' && { ROLES: roles }),
      INIT_API_KEY: this.token,
    };
  }

  /** Kills a service, and checks that it has logged no error. */
  async end(service: ServiceProcess): Promise<void> {
    await service.kill();
    expect(errorsIn(service.output())).toEqual([]);
  }

  /** The stored data, read while a service may be running. */
  async stored() {
    return await this.#storage.read(async ({ query }) => ({
      events: await query.events.findMany(),
      deliveries: await query.deliveries.findMany(),
      attempts: await query.attempts.findMany(),
      lanes: await query.lanes.findMany(),
      workers: await query.workers.findMany(),
    }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.kill()));
    await this.receiver.close();
    await this.#storage.remove();
    this.#log.assertNoUnexpectedErrors();
  }
}

const usual: Environment = {
  ...reachesLoopback,
  INIT_ADMIN_EMAIL: 'ida@example.com',
  INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  RATE_LIMIT_PER_MINUTE: '1000000',
};

/** Where an installation stores its data. */
type Storage = {
  environment: Environment;
  read<Found>(find: (db: Db) => Promise<Found>): Promise<Found>;
  remove(): Promise<void>;
};

async function inFolder({ logger: log }: TestLog): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deliveries-'));
  return {
    environment: { DATA_DIR: dataDir },
    async read(find) {
      const config = { databaseUrl: null, migrationDatabaseUrl: null, dataDir };
      const database = await openDatabase({ config, log });
      try {
        return await find(database.db);
      } finally {
        await database.close();
      }
    },
    remove: () => rm(dataDir, { recursive: true }),
  };
}

async function onServer(): Promise<Storage> {
  const database = await createMigratedPostgres();
  const { url } = database;
  // One connection for all polls: opening the database as a service does takes several each time.
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  // The pool ends before its connection is closed, which dropping the database may break.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const db = drizzle(pool, { schema: tables });
  return {
    environment: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') },
    read: async (find) => await find(db),
    async remove() {
      await pool.end();
      await database.drop();
    },
  };
}
