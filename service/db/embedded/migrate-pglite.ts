import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { checkRecordedMigrations, migrationsFolder } from '../recorded-migrations.ts';

/** Migrates the embedded database's schema. The folder's lock keeps other processes out. */
export async function migratePglite(pglite: PGlite): Promise<void> {
  await checkRecordedMigrations((text) => pglite.query(text));
  await migrate(drizzle(pglite), { migrationsFolder });
}
