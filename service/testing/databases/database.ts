import { openPostgres } from '../../db/postgres/open-postgres.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { createMigratedPostgres, runningUrl } from './postgres-database.ts';

/** For a busy machine: how long a call may wait until another one gives its connection back. */
const patienceMs = 60_000;

/** A migrated database of its own, gone when closed. */
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
