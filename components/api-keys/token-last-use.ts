import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';

export type TokenLastUse = { at: string | null; from: string | null };

/**
 * When and from where a token was last used. The API stores one IP address per key, which belongs
 * to this token if the times are equal.
 */
export function tokenLastUse(
  { last_used_at: keyUsedAt, last_used_ip: ip }: ApiKey,
  { last_used_at: at }: Pick<ApiKeyToken, 'last_used_at'>,
): TokenLastUse {
  return { at, from: at !== null && at === keyUsedAt ? ip : null };
}

/** Whether an older token was used after it was replaced. */
export function wasUsedAfterReplacement({
  last_used_at: at,
  replaced_at: replacedAt,
}: OlderToken): boolean {
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
