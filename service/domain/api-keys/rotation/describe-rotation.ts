import { listNames } from '#lib/list-names.ts';
import { saveNow, termUntil } from '../../secret-messages.ts';
import { tokenValidUntil } from '../rules.ts';
import type { DecidedRotation } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import type { TokenRow } from '../store/tokens.ts';
import type { ReplacedToken } from './replace-unused-token.ts';

/**
 * The message that is returned with a new token: what happens to each older token. For one older
 * token it is the documented sentence (specification 4.4); several are named by their last four.
 */
export function describeRotation(
  { tokenOutcomes, replacedUnused }: Pick<DecidedRotation, 'tokenOutcomes' | 'replacedUnused'>,
  now: Date,
): string {
  const kept = tokenOutcomes.flatMap(({ token, validUntil }) =>
    validUntil ? [{ lastFour: token.lastFour, term: termUntil(validUntil, now) }] : [],
  );
  const [only, ...more] = kept;
  const sentences = [saveNow('token')];
  if (!only && tokenOutcomes.length > 0) {
    const ended = tokenOutcomes.map(({ token }) => token.lastFour);
    const named =
      ended.length > 1 ? `: the ones ending in ${listNames(ended, { most: Infinity })}` : '';
    sentences.push(`Every older token has stopped working${named}.`);
  } else if (only && more.length === 0) {
    sentences.push(`The old token stays valid ${only.term}.`);
  } else if (only) {
    const each = kept.map(({ lastFour, term }) => `the one ending in ${lastFour} ${term}`);
    sentences.push(`The older tokens stay valid: ${each.join('; ')}.`);
  }
  if (replacedUnused) {
    sentences.push(describeReplacedUnused(replacedUnused));
  }
  return sentences.join(' ');
}

/** The sentence about a token that was replaced at once because it was never used. */
export function describeReplacedUnused({ lastFour }: Pick<TokenRow, 'lastFour'>): string {
  return `The token ending in ${lastFour}, which was never used, has stopped working.`;
}

/** The message for a token that replaces an unused one. */
export function describeReplacement(
  { tokens, replacedUnused }: Pick<ReplacedToken, 'tokens' | 'replacedUnused'>,
  { key, now }: { key: ApiKeyRow; now: Date },
): string {
  const tokenOutcomes = tokens
    .slice(1)
    .map((token) => ({ token, validUntil: tokenValidUntil(token, key.expiresAt) }));
  return describeRotation({ tokenOutcomes, replacedUnused }, now);
}
