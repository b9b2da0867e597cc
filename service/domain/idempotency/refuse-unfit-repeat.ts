import { formatApiTime } from '#lib/time.ts';
import { repeatError, reusedKeyError } from './claim-request.ts';
import type { EarlierRequest } from './claim-request.ts';

/** How long a request that makes a token or secret can be repeated after its response. */
const repeatableMs = 600_000;

/**
 * Refuses the repeat of a request that makes a token or secret if the request differs or comes too
 * late. Responses with a token or secret are not stored: the repeated request replaces the token or
 * secret, if it is unused.
 *
 * @param advice how to get another token or secret instead
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key`
 */
export function refuseUnfitRepeat(
  { at, isSameRequest }: Pick<EarlierRequest<unknown>, 'at' | 'isSameRequest'>,
  { now, advice }: { now: Date; advice: string },
): void {
  if (!isSameRequest) throw reusedKeyError();
  if (now.getTime() - at.getTime() < repeatableMs) return;
  throw repeatError(
    `The response to this request was sent at ${formatApiTime(at)}, and the request could be repeated for 10 minutes. ${advice}`,
  );
}
