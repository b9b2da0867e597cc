import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { invalid } from '../../errors.ts';
import { maxLeakRevocations, revocationPeriodMs, stateAt } from '../rules.ts';
import { listLeakRevocationsOf, listReportedKeyIds } from '../store/leaks.ts';
import { keyTarget, lockOpenRequests } from '../store/requests.ts';

/** Ids of an account's keys that have an open request with the reason "leaked" at `now`. */
export async function listKeysWithReportedLeak(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<ReadonlySet<number>> {
  return new Set(await listReportedKeyIds(db, accountId, now));
}

/**
 * Refuses an act while somebody reports that a token of the key may have leaked: it would keep an
 * older token valid, or whoever has the leaked one could do it. The key must be locked.
 *
 * @param options `refusal`: why, and what to do instead
 * @throws ServiceError VALIDATION_ERROR while a request with the reason "leaked" is open
 */
export async function refuseReportedLeak(
  tx: Tx,
  key: { accountId: string; id: number; name: string },
  { now, refusal }: { now: Date; refusal: string },
): Promise<void> {
  const requests = await lockOpenRequests(tx, keyTarget(key));
  const isReported = requests.some(
    (request) => request.reason === 'leaked' && stateAt(request, now) === 'open',
  );
  if (isReported) throw invalid('api_key', refusal);
}

/** How many more keys a person may revoke at `now` because they reported a leak. */
export async function countLeakRevocationsLeft(
  db: Db | Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<number> {
  const since = new Date(now.getTime() - revocationPeriodMs);
  const earlier = await listLeakRevocationsOf(db, { personId, since });
  return Math.max(0, maxLeakRevocations - earlier.length);
}
