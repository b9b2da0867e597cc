import { randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedDatabasePath } from './cached-database-path.ts';

/**
 * Copies a migrated, empty database into a data folder without one, so that a service starts on it
 * immediately: creating one takes seconds.
 */
export async function addMigratedDatabase(dataDir: string): Promise<void> {
  const database = join(dataDir, 'pglite');
  if (existsSync(database)) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Copying a thousand small files with promises takes much longer.
  cpSync(await keepMigratedDatabase(), database, { recursive: true });
}

/** The folder of a migrated, empty database, which is created if it does not exist. */
export async function keepMigratedDatabase(): Promise<string> {
  const cached = await cachedDatabasePath();
  if (!existsSync(cached)) await makeDatabase(cached);
  return cached;
}

async function makeDatabase(folder: string): Promise<void> {
  // Loaded late: most runs find the folder, and PGlite takes a while to load.
  const { PGlite } = await import('@electric-sql/pglite');
  const { migratePglite } = await import('../../db/embedded/open-pglite.ts');
  const unfinished = `${folder}.${randomUUID()}`;
  const pglite = await PGlite.create(unfinished);
  await migratePglite(pglite);
  await pglite.query('checkpoint');
  await pglite.close();
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another worker was faster.
    await rm(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
