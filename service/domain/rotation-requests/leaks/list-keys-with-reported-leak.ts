import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { listReportedKeyIds } from '../store/leaks.ts';

/** Ids of an account's keys that have an open request with the reason "leaked" at `now`. */
export async function listKeysWithReportedLeak(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<ReadonlySet<number>> {
  return new Set(await listReportedKeyIds(db, accountId, now));
}
