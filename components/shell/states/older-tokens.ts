import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';

/** An older token of a key that is still valid in its grace period. */
export type OlderToken = ApiKeyToken & {
  valid_until: string;
  /** When the next token was created. */
  replaced_at: string;
};

/** The older tokens of a key that are valid at `now`, which may be later than the read. */
export function olderTokens({ tokens }: Pick<ApiKey, 'tokens'>, now: Date): OlderToken[] {
  return tokens.flatMap((token, index) => {
    const { valid_until } = token;
    const newer = tokens[index - 1];
    if (newer === undefined || valid_until === null) return [];
    if (Date.parse(valid_until) <= now.getTime()) return [];
    return [{ ...token, valid_until, replaced_at: newer.created_at }];
  });
}

/** The token whose grace period ends last. */
export function lastToExpire(tokens: readonly OlderToken[]): OlderToken | undefined {
  return tokens.toSorted((a, b) => Date.parse(b.valid_until) - Date.parse(a.valid_until))[0];
}
