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

/** When, from where and with which user agent a key was last used. */
export function keyLastUse({ last_used_at: at, last_used_ip: from, tokens }: ApiKey): TokenLastUse {
  const used = at === null ? undefined : tokens.find((token) => token.last_used_at === at);
  return { at, from, userAgent: used?.last_used_user_agent ?? null };
}

/** Whether an older token was used after it was replaced. */
export function wasUsedAfterReplacement({
  last_used_at: at,
  replaced_at: replacedAt,
}: OlderToken): boolean {
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
