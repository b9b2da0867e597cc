import { keepMigratedDatabase } from './migrated-data-folder.ts';
import { keepImage } from './memory-pglite.ts';

/**
 * Creates the databases that tests copy before the first test. Otherwise each worker would create
 * them.
 */
export async function setup(): Promise<void> {
  await keepMigratedDatabase();
  await keepImage();
}
