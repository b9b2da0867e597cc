import type { Tx } from '../../db/open.ts';
import { deleteOldestSearches } from './store/searches.ts';

/**
 * Removes up to `limit` records of searches from before a moment, the oldest first. Its transaction
 * needs the rights of MIGRATION_DATABASE_URL.
 * @returns how many
 */
export async function removeExpiredSearches(
  tx: Tx,
  options: { before: Date; limit: number },
): Promise<number> {
  return await deleteOldestSearches(tx, options);
}
