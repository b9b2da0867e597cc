import { keepMigratedDatabase } from './migrated-data-folder.ts';
import { keepImage } from './memory-pglite.ts';

/** Makes what tests copy their databases from, before the first of them: else each worker would. */
export async function setup(): Promise<void> {
  await keepMigratedDatabase();
  await keepImage();
}
