import { openPostgres } from '../../db/postgres/open-postgres.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { createMigratedPostgres, runningUrl } from './postgres-database.ts';

/**
 * How long a call may wait for a connection that another one uses: long enough for a busy machine.
 */
const patienceMs = 60_000;

/** A migrated database for the caller alone, which is deleted when it is closed. */
export async function openTestDatabase(
  engine: OpenDatabase['engine'],
  log: Logger,
): Promise<OpenDatabase> {
  return engine === 'pglite' ? await openMemoryDatabase(log) : await openFreshDatabase(log);
}

async function openFreshDatabase(log: Logger): Promise<OpenDatabase> {
  const fresh = await createMigratedPostgres();
  const database = await openPostgres({
    databaseUrl: await runningUrl(fresh.url),
    migrationDatabaseUrl: fresh.url,
    log,
    connectionTimeoutMs: patienceMs,
  });
  return {
    ...database,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}
