import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';

export type TokenLastUse = { at: string | null; from: string | null };

/** When and from where a token was last used. */
export function tokenLastUse({
  last_used_at: at,
  last_used_ip: from,
}: Pick<ApiKeyToken, 'last_used_at' | 'last_used_ip'>): TokenLastUse {
  return { at, from };
}

/** Whether an older token was used after it was replaced. */
export function wasUsedAfterReplacement({
  last_used_at: at,
  replaced_at: replacedAt,
}: OlderToken): boolean {
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
