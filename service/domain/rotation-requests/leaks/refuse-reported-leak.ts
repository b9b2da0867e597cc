import type { Tx } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { stateAt } from '../rules.ts';
import { keyTarget, lockOpenRequests } from '../store/requests.ts';

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
