import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migrateWithPostgres } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migrateWithPglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** An arbitrary constant: whoever migrates this product's schema holds this lock. */
const advisoryLock = 7_317_443_102;

/** Brings the embedded database's schema up to date. Nobody else can be at it. */
export async function migratePglite(pglite: PGlite): Promise<void> {
  await migrateWithPglite(drizzlePglite(pglite), { migrationsFolder });
}

/**
 * Brings a PostgreSQL database's schema up to date, one process at a time: those that start
 * together wait for the first and then find nothing to do.
 */
export async function migratePostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    application_name: 'conversation-service migrate',
    connectionTimeoutMillis: 5000,
  });
  // Whoever waits for a statement hears of a lost connection; nobody else needs to.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    await migrateWithPostgres(drizzlePostgres(client), { migrationsFolder });
  } finally {
    // Ending the session gives up the lock.
    await client.end();
  }
}
