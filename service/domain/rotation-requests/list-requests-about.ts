import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { listRequestUuids } from './store/requests-about.ts';

/**
 * More requests than a key or webhook ever has; it limits what one filter of the audit log searches
 * for.
 */
const max = 1000;

/**
 * Uuids of the requests about a key or webhook of an account; empty if the account has neither.
 */
export async function listRequestsAbout(
  db: Db,
  accountId: AccountId,
  targetUuid: string,
): Promise<string[]> {
  return await listRequestUuids(db, accountId, { targetUuid, limit: max });
}
