import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys.ts';

import type { OlderToken } from './older-tokens.ts';

export type TokenLastUse = { at: string | null; from: string | null };

/** A token's last use. The API keeps one address per key: it is this token's if the moment is. */
export function tokenLastUse(
  { last_used_at: keyUsedAt, last_used_ip: ip }: ApiKey,
  { last_used_at: at }: Pick<ApiKeyToken, 'last_used_at'>,
): TokenLastUse {
  return { at, from: at !== null && at === keyUsedAt ? ip : null };
}

/** Whether something still called with an older token after there was a newer one. */
export function wasUsedAfterReplacement({
  last_used_at: at,
  replaced_at: replacedAt,
}: OlderToken): boolean {
  return at !== null && Date.parse(at) > Date.parse(replacedAt);
}
