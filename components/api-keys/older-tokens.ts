import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys.ts';

/** A token before the newest, in its grace period. */
export type OlderToken = ApiKeyToken & {
  valid_until: string;
  /** When the token after it was made. */
  replaced_at: string;
};

/** The older tokens of a key that still work at `now`, newest first; some may have ended since they were read. */
export function olderTokens({ tokens }: Pick<ApiKey, 'tokens'>, now: Date): OlderToken[] {
  return tokens.flatMap((token, index) => {
    const { valid_until } = token;
    const newer = tokens[index - 1];
    if (newer === undefined || valid_until === null) return [];
    if (Date.parse(valid_until) <= now.getTime()) return [];
    return [{ ...token, valid_until, replaced_at: newer.created_at }];
  });
}

/** Of tokens in their grace the one that works longest. */
export function lastToExpire(tokens: readonly OlderToken[]): OlderToken | undefined {
  return tokens.toSorted((a, b) => Date.parse(b.valid_until) - Date.parse(a.valid_until))[0];
}
