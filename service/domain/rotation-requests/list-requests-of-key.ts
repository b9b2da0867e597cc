import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { listRequestUuids } from './store/requests-of-key.ts';

/** More requests than a key ever has; it limits what one filter of the audit log searches for. */
const max = 1000;

/**
 * Uuids of the rotation requests about a key of an account; empty if the account has no such key.
 */
export async function listRequestsOfKey(
  db: Db,
  accountId: AccountId,
  keyUuid: string,
): Promise<string[]> {
  return await listRequestUuids(db, accountId, { keyUuid, limit: max });
}
