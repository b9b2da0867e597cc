import type { Tx } from '../../db/open.ts';
import { mintAccountId } from '../account-id.ts';
import type { AuditKeys } from './chain/audit-keys.ts';
import { removeOldestEntries } from './remove-oldest-entries.ts';
import { findAccountWithEntriesBefore } from './store/oldest-entries.ts';

/**
 * Removes up to `limit` entries from before a moment, all of one account.
 * @returns how many
 */
export async function removeExpiredEntries(
  tx: Tx,
  keys: AuditKeys,
  options: { before: Date; limit: number; now: Date },
): Promise<number> {
  const account = await findAccountWithEntriesBefore(tx, options.before);
  if (account === null) return 0;
  return await removeOldestEntries(tx, keys, { accountId: mintAccountId(account), ...options });
}
