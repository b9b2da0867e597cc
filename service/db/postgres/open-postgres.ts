import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Logger } from '../../log/log.ts';
import type { Connections } from '../../metrics.ts';
import { ConnectFailure, isStarting } from './connect-failure.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { grantRights } from './grant-rights.ts';
import { openPool, type PoolOptions } from './open-pool.ts';
import { createPostgresNotifier } from './postgres-notifier.ts';
import { requireSameDatabase } from './require-same-database.ts';
import { requireSettings } from './require-settings.ts';
import { tables } from '../schema/tables.ts';
import { batchReads } from '../statements/hot-read.ts';

type PostgresOptions = Partial<Omit<PoolOptions, 'takesLimits'>> & {
  databaseUrl: string;
  migrationDatabaseUrl: string;
  log: Logger;
  /** Whether to refuse a database without the service's tables, instead of creating them. */
  mustExist?: boolean;
  /** How many milliseconds to wait for a server that cannot be reached. */
  patienceMs?: number;
};

/**
 * Opens a database of PostgreSQL. Calls, the worker and small reads have pools of their own, so that
 * none of them waits for the connections of another.
 *
 * @throws ConnectFailure; StartError if the operator can do something about the cause
 */
export async function openPostgres(options: PostgresOptions) {
  const { databaseUrl, migrationDatabaseUrl, databasePrepare = true, log } = options;
  const hasMigrationUrl = migrationDatabaseUrl !== databaseUrl;
  const { running, maintenance } = await whenReachable(() => prepareDatabase(options), options);

  const poolOptions = { ...options, databasePrepare, ...running };
  const pool = openPool(databaseUrl, poolOptions, { max: 10 });
  // The worker claims, takes and completes at the same time, and its heartbeat must not wait for
  // these.
  const workerPool = openPool(databaseUrl, poolOptions, { max: 4 });
  const readers = openPool(databaseUrl, poolOptions, { max: 2, pipeline: true });
  await tryConnection(pool);
  if (hasMigrationUrl) {
    await closingOnFailure(pool, grantRights({ migrationDatabaseUrl, pool, log }));
  }
  // Connects only when it is used: at the start, and once an hour.
  const maintenancePool = hasMigrationUrl
    ? openPool(migrationDatabaseUrl, { ...poolOptions, ...maintenance }, { max: 1 })
    : pool;
  const notifier = createPostgresNotifier({ connectionString: databaseUrl, pool, log });

  return {
    db: Object.assign(drizzle(pool, { schema: tables }), {
      // A pooler without prepared statements may also not accept several statements at the same
      // time.
      ...(databasePrepare && { readRows: batchReads(readers) }),
    }),
    workerDb: drizzle(workerPool, { schema: tables }),
    maintenanceDb: drizzle(maintenancePool, { schema: tables }),
    engine: 'postgresql' as const,
    notifier,
    async ping() {
      await pool.query('select 1');
    },
    connections: () => ({
      calls: stateOf(pool),
      worker: stateOf(workerPool),
      reads: stateOf(readers),
    }),
    onCrash() {
      // A server that crashes starts again by itself.
    },
    async close() {
      await notifier.close();
      await Promise.all([pool, workerPool, readers].map(async (each) => await each.end()));
      if (hasMigrationUrl) await maintenancePool.end();
    },
  };
}

function stateOf({ totalCount, idleCount, waitingCount }: pg.Pool): Connections {
  return { open: totalCount, idle: idleCount, waiting: waitingCount };
}

/** Checks the database as each of the two roles sees it, and runs the migrations. */
async function prepareDatabase({
  databaseUrl,
  migrationDatabaseUrl,
  log,
  mustExist = false,
}: PostgresOptions): Promise<Record<'running' | 'maintenance', { takesLimits: boolean }>> {
  const hasMigrationUrl = migrationDatabaseUrl !== databaseUrl;
  const setting = hasMigrationUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  if (hasMigrationUrl) await requireSameDatabase({ databaseUrl, migrationDatabaseUrl });
  const running = await requireSettings(databaseUrl, 'DATABASE_URL');
  const maintenance = hasMigrationUrl
    ? await requireSettings(migrationDatabaseUrl, setting)
    : running;
  await migratePostgres(migrationDatabaseUrl, { log, mustExist, setting });
  return { running, maintenance };
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
 * @throws ConnectFailure before anything else uses the pool
 */
async function tryConnection(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new ConnectFailure(error, 'DATABASE_URL');
  }
}

/** Waits for a database that is still starting, as with Compose; other failures are final. */
async function whenReachable<Result>(
  act: () => Promise<Result>,
  { patienceMs = 30_000, log }: Pick<PostgresOptions, 'patienceMs' | 'log'>,
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await act();
    } catch (error) {
      if (!isStarting(error) || performance.now() >= giveUpAt) throw error;
      if (!hasSaid) log.warn({ err: error }, 'waiting for the database');
      await pause(1000);
    }
  }
}
