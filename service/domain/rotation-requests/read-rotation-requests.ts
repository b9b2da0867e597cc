import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { listRecordsOf } from './store/request-records.ts';

/** Requests of these accounts by their uuid, in their state at `now`, whoever made them. */
export async function readRotationRequests(
  db: Db,
  options: { accountIds: readonly AccountId[]; uuids: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, RotationRequest>> {
  if (options.uuids.length === 0) return new Map();
  const records = await listRecordsOf(db, options);
  return new Map(
    records.map((record) => [record.request.uuid, describeRotationRequest(record, options.now)]),
  );
}
