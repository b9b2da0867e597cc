import { formatApiTime } from '#lib/time.ts';
import { invalid } from '../../errors.ts';
import { isRotated } from '../rules.ts';
import type { ApiKeyRow, TokenRow } from '../store.ts';

/**
 * Refuses a request that was made for another newest token than the key has now.
 *
 * @param about `tokens`: valid tokens of the key, newest first; `expected`: the last four characters
 *   that the caller knows, if they said so
 * @throws ServiceError VALIDATION_ERROR on `expected_last_four`
 */
export function refuseOtherToken(
  key: ApiKeyRow,
  { tokens, expected }: { tokens: readonly TokenRow[]; expected: string | undefined },
): void {
  const [newest] = tokens;
  if (!newest || expected === undefined || newest.lastFour === expected) return;
  throw invalid(
    'expected_last_four',
    isRotated({ key, tokens })
      ? `This key was already rotated at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}.`
      : `This key was never rotated: its token ends in ${newest.lastFour}. Give these four characters, or leave the field out.`,
  );
}
