import { invalid } from '../../errors.ts';
import type { TokenRow } from '../store/tokens.ts';
import { isUnconfirmed } from '../rules.ts';
import type { UnconfirmedToken } from '../rules.ts';

/**
 * The newest token of a key, which must be unconfirmed.
 *
 * @param tokens valid tokens of the key, newest first
 * @throws ServiceError VALIDATION_ERROR if somebody confirmed or used it
 */
export function requireUnconfirmed(tokens: readonly TokenRow[]): UnconfirmedToken {
  const [newest] = tokens;
  if (!newest) throw new Error('the key has no token');
  if (isUnconfirmed(newest)) return newest;
  throw invalid(
    'api_key',
    newest.firstUsedAt === null
      ? `Somebody confirmed having the token ending in ${newest.lastFour}. Rotate the key instead.`
      : `The token ending in ${newest.lastFour} was used, so somebody has it. Rotate the key instead.`,
  );
}
