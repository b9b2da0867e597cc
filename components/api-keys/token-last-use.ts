import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';

export type TokenLastUse = { at: string | null; from: string | null; userAgent: string | null };

/** When, from where and with which user agent a token was last used. */
export function tokenLastUse({
  last_used_at: at,
  last_used_ip: from,
  last_used_user_agent: userAgent,
}: Pick<ApiKeyToken, 'last_used_at' | 'last_used_ip' | 'last_used_user_agent'>): TokenLastUse {
  return { at, from, userAgent };
}

/** When, from where and with which user agent one of a key's tokens was last used. */
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

/** Whether an older token was used after it was replaced. */
export function wasUsedAfterReplacement({
  last_used_at: at,
  replaced_at: replacedAt,
}: OlderToken): boolean {
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
