import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import { timeValue } from '#components/ui/data-display/sort-order.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { minuteMs } from '#lib/durations.ts';

export type TokenLastUse = { at: string | null; from: string | null; userAgent: string | null };

/** When, from where and with which user agent a token was last used. */
export function tokenLastUse({
  last_used_at: at,
  last_used_ip: from,
  last_used_user_agent: userAgent,
}: Pick<ApiKeyToken, 'last_used_at' | 'last_used_ip' | 'last_used_user_agent'>): TokenLastUse {
  return { at, from, userAgent };
}

export function keyLastUse(apiKey: ApiKey): TokenLastUse & { unusedTokens: string | null } {
  const { last_used_at: at, last_used_ip: from, tokens } = apiKey;
  const used = at === null ? undefined : tokens.find((token) => token.last_used_at === at);
  return {
    at,
    from,
    userAgent: used?.last_used_user_agent ?? null,
    unusedTokens: unusedTokensOf({ ...apiKey, live_tokens: tokens.length }),
  };
}

/**
 * The tokens of a key that were never used, if it had others before them: the uses of tokens that
 * ended do not count, so the key itself may have been in use until then. Null for any other key.
 */
export function unusedTokensOf({
  last_four: lastFour,
  last_used_at: at,
  rotated_at: rotatedAt,
  live_tokens: tokens,
}: Pick<ApiKey, 'last_four' | 'last_used_at' | 'rotated_at'> & {
  live_tokens: number;
}): string | null {
  if (at !== null || rotatedAt === null) return null;
  return tokens > 1 ? 'its valid tokens' : `…${lastFour}`;
}

/**
 * What is known about the use of older tokens since they were replaced.
 *
 * `used`: `token` was used since, and no other was used later. `watching`: one was replaced so
 * recently that its clients may not have made a call yet. `new_unused`: none was used, but neither
 * was the newest token, so the clients may simply be idle. `unused`: clients use the newest token,
 * and none of these.
 */
export type OlderTokenUse =
  | { kind: 'used'; token: OlderToken & { last_used_at: string } }
  | { kind: 'watching' | 'new_unused' | 'unused' };

/** How long after a rotation the absence of calls says nothing. */
const watchedMs = 2 * minuteMs;

export function getOlderTokenUse(
  older: readonly OlderToken[],
  { newest, now }: { newest: Pick<ApiKeyToken, 'last_used_at'> | undefined; now: Date },
): OlderTokenUse {
  const [token] = older
    .filter(wasUsedAfterReplacement)
    .toSorted((a, b) => (timeValue(b.last_used_at) ?? 0) - (timeValue(a.last_used_at) ?? 0));
  if (token) return { kind: 'used', token };
  const isRecent = older.some(
    ({ replaced_at: replacedAt }) => now.getTime() < Date.parse(replacedAt) + watchedMs,
  );
  if (isRecent) return { kind: 'watching' };
  return { kind: newest?.last_used_at ? 'unused' : 'new_unused' };
}

/** Whether a key was rotated so recently that its page waits for the first calls. */
export function isWatched(apiKey: ApiKey, now: Date): boolean {
  const [newest] = apiKey.tokens;
  return getOlderTokenUse(olderTokens(apiKey, now), { newest, now }).kind === 'watching';
}

function wasUsedAfterReplacement(
  token: OlderToken,
): token is OlderToken & { last_used_at: string } {
  const { last_used_at: at, replaced_at: replacedAt } = token;
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
