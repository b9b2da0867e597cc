import type { Tx } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { stateAt } from '../rules.ts';
import { keyTarget, lockOpenRequests } from '../store/requests.ts';

/**
 * Refuses an act that would keep an older token of a key valid while somebody reports that a token
 * may have leaked. The key must be locked.
 *
 * @throws ServiceError VALIDATION_ERROR while a request with the reason "leaked" is open
 */
export async function refuseReportedLeak(
  tx: Tx,
  key: { accountId: string; id: number; name: string },
  now: Date,
): Promise<void> {
  const requests = await lockOpenRequests(tx, keyTarget(key));
  const isReported = requests.some(
    (request) => request.reason === 'leaked' && stateAt(request, now) === 'open',
  );
  if (!isReported) return;
  throw invalid(
    'api_key',
    'Somebody reported that a token of this key may have leaked, so its rotation cannot be undone. Revoke or rotate the key, or decline the request first.',
  );
}
