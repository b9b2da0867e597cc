import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { listStoredOpenRequestsOfKeys } from './store/request-records.ts';

/** The requests of these keys that are open at `now`, newest first, whoever made them. */
export async function listOpenRequestsOfKeys(
  db: Db,
  options: { accountIds: readonly AccountId[]; keyIds: readonly number[]; now: Date },
): Promise<RotationRequest[]> {
  if (options.keyIds.length === 0) return [];
  const records = await listStoredOpenRequestsOfKeys(db, options);
  return records
    .map((record) => describeRotationRequest(record, options.now))
    .filter(({ state }) => state === 'open');
}
