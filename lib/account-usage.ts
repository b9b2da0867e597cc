import type { ApiKey } from './contract/api-keys/api-key.ts';
import type { Scope } from './contract/api-keys/scopes.ts';

/**
 * What the settings of an account say about its keys and webhooks. The whole lists of an account with
 * 200 keys would be most of what that page sends.
 */
export type AccountUsage = {
  /** How many of the keys that work have which scopes. */
  activeKeys: KeysOfScopes[];
  webhooks: number;
};

export type KeysOfScopes = { scopes: readonly Scope[]; count: number };

/** Counts the keys that work, by the scopes that they have. */
export function countByScopes(
  apiKeys: readonly Pick<ApiKey, 'status' | 'scopes'>[],
): KeysOfScopes[] {
  const groups = new Map<string, KeysOfScopes>();
  for (const { status, scopes } of apiKeys) {
    if (status === 'revoked' || status === 'expired') continue;
    const name = scopes.join(' ');
    const group = groups.get(name) ?? { scopes, count: 0 };
    groups.set(name, { scopes, count: group.count + 1 });
  }
  return [...groups.values()];
}

/** How many keys these groups have. */
export function countKeys(groups: readonly KeysOfScopes[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
