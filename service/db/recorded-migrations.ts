import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** When the newest migration of this version was made, in milliseconds. */
export function newestMigration(): number {
  return readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
}

/**
 * Reads which migrations were recorded in a database.
 *
 * @returns whether there are any
 * @throws StartError for a database to which the migrations of this version do not apply: one from
 *   before the first release, or one that a newer version has changed
 */
export async function checkRecordedMigrations(
  query: (text: string) => Promise<{ rows: { value: unknown }[] }>,
): Promise<boolean> {
  const read = async (expression: string) =>
    (await query(`select ${expression} as value`)).rows[0]?.value;
  if ((await read(`to_regclass('drizzle.__drizzle_migrations')`)) === null) return false;
  const oldest = await read('(select min(created_at)::float8 from drizzle.__drizzle_migrations)');
  const newest = await read('(select max(created_at)::float8 from drizzle.__drizzle_migrations)');
  const known = readMigrationFiles({ migrationsFolder });
  const [first, last] = [known[0], known.at(-1)];
  if (typeof oldest === 'number' && first && oldest < first.folderMillis) {
    throw new StartError(
      'The database was created before the first release of the service and cannot be upgraded: start with an empty database (DATABASE_URL) or an empty data folder (DATA_DIR).',
    );
  }
  if (typeof newest === 'number' && last && newest > last.folderMillis) {
    throw new StartError(
      `A newer version of the service than this one (${version}) has changed the database: start that version again, or restore the backup from before the upgrade.`,
    );
  }
  return true;
}
