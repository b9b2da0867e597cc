import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';

export function countKeys(groups: readonly KeysOfScopes[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
