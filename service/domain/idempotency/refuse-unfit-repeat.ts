import { formatApiTime } from '#lib/time.ts';
import { refuseRepeat, refuseReuse } from './claim-request.ts';
import type { EarlierRequest } from './claim-request.ts';

/** How long after it was answered a request that makes a token or secret can be repeated. */
const repeatableMs = 600_000;

/**
 * Refuses the repeat of a request that makes a token or secret, if it is another request or comes
 * too late. Such an answer is not stored: repeated, the request replaces what nobody used.
 *
 * @param advice how to get another token or secret instead
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key`
 */
export function refuseUnfitRepeat(
  { at, isSameRequest }: Pick<EarlierRequest<unknown>, 'at' | 'isSameRequest'>,
  { now, advice }: { now: Date; advice: string },
): void {
  if (!isSameRequest) throw refuseReuse();
  if (now.getTime() - at.getTime() < repeatableMs) return;
  throw refuseRepeat(
    `This request was answered at ${formatApiTime(at)} and could be repeated for 10 minutes. ${advice}`,
  );
}
