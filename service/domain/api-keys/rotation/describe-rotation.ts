import { formatApiTime, formatDuration } from '#lib/time.ts';
import { tokenValidUntil } from '../rules.ts';
import type { DecidedRotation } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
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
  const sentences = ['Save this token now; it will not be shown again.'];
  if (!only && tokenOutcomes.length > 0) {
    const ended = tokenOutcomes.map(({ token }) => token.lastFour);
    const named = ended.length > 1 ? `: the ones ending in ${listInWords(ended)}` : '';
    sentences.push(`Every older token has stopped working${named}.`);
  } else if (only && more.length === 0) {
    sentences.push(`The old token stays valid ${only.term}.`);
  } else if (only) {
    const each = kept.map(({ lastFour, term }) => `the one ending in ${lastFour} ${term}`);
    sentences.push(`The older tokens stay valid: ${each.join('; ')}.`);
  }
  if (replacedUnused) {
    sentences.push(
      `The token ending in ${replacedUnused.lastFour}, which was never used, has stopped working.`,
    );
  }
  return sentences.join(' ');
}

function termUntil(end: Date, now: Date): string {
  const seconds = Math.round((end.getTime() - now.getTime()) / 1000);
  return `for ${formatDuration(seconds)}, until ${formatApiTime(end)}`;
}

function listInWords(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
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
