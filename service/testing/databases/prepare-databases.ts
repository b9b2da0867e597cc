import { keepMigratedDatabase } from './migrated-data-folder.ts';
import { keepImage } from './memory-pglite.ts';

/**
 * Makes the databases that tests copy, before the first test: otherwise each worker would make
 * them.
 */
export async function setup(): Promise<void> {
  await keepMigratedDatabase();
  await keepImage();
}
