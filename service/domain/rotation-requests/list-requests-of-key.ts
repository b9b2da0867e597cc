import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { listRequestUuids } from './store/requests-of-key.ts';

/** More than a key ever has; it bounds what one filter of the audit log looks for. */
const most = 1000;

/** Uuids of the rotation requests about a key of an account; none for what is no key of it. */
export async function listRequestsOfKey(
  db: Db,
  accountId: AccountId,
  keyUuid: string,
): Promise<string[]> {
  return await listRequestUuids(db, accountId, { keyUuid, limit: most });
}
