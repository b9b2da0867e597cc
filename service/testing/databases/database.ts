import { openDatabase } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { createMigratedPostgres } from './postgres-database.ts';

/** A migrated database of its own, gone when closed. */
export async function openTestDatabase(
  engine: OpenDatabase['engine'],
  log: Logger,
): Promise<OpenDatabase> {
  return engine === 'pglite' ? await openMemoryDatabase(log) : await openFreshDatabase(log);
}

async function openFreshDatabase(log: Logger): Promise<OpenDatabase> {
  const fresh = await createMigratedPostgres();
  const database = await openDatabase({
    config: { databaseUrl: fresh.url, migrationDatabaseUrl: null, dataDir: '' },
    log,
  });
  return {
    ...database,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}
