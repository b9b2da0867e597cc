import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { findLatestToken } from '../store/tokens.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import type { TokenRow } from '../store/tokens.ts';
import { isUnconfirmed } from '../rules.ts';

/**
 * Refuses a request if the key's newest token is not the one the caller expected, and says what
 * happened to that one.
 *
 * @param options `tokens`: valid tokens of the key, newest first; `expected`: the last four
 *   characters that the caller sent, if any
 * @throws ServiceError VALIDATION_ERROR on `expected_last_four`
 */
export async function refuseOtherToken(
  tx: Tx,
  key: ApiKeyRow,
  { tokens, expected }: { tokens: readonly TokenRow[]; expected: string | undefined },
): Promise<void> {
  const [newest] = tokens;
  if (!newest || expected === undefined || newest.lastFour === expected) return;
  const known = await findLatestToken(tx, key, expected);
  throw invalid('expected_last_four', whatBecameOf({ expected, known, newest }));
}

function whatBecameOf({
  expected,
  known,
  newest,
}: {
  expected: string;
  known: TokenRow | null;
  newest: TokenRow;
}): string {
  const now = `The newest token of this key ends in ${newest.lastFour}.`;
  if (known && known.id < newest.id) {
    return `This key was already rotated at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}.`;
  }
  if (known) return `The rotation to the token ending in ${expected} was undone. ${now}`;
  // A token that was replaced in its row leaves one trace: the row was created before its present
  // token was shown.
  if (isUnconfirmed(newest) && newest.shownTo && newest.unconfirmedSince > newest.createdAt) {
    return `The unused token of this key was replaced at ${formatApiTime(newest.unconfirmedSince)}, and ${newest.shownTo.name} was shown the new one, which ends in ${newest.lastFour}.`;
  }
  return now;
}
