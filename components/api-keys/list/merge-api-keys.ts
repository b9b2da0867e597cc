import type { ApiKey } from '#lib/contract/api-keys.ts';
import { endedApiKeysListed } from '#lib/contract/ended-api-keys.ts';

/** The listed keys and, after them, those of the older ones that the list leaves out. */
export function mergeApiKeys(listed: readonly ApiKey[], older: readonly ApiKey[]): ApiKey[] {
  const known = new Set(listed.map(({ uuid }) => uuid));
  return [...listed, ...older.filter(({ uuid }) => !known.has(uuid))];
}

/** Whether the list shows as many revoked and expired keys as it ever does: there may be older ones. */
export function mayOmitKeys(listed: readonly ApiKey[]): boolean {
  const ended = listed.filter(({ status }) => status === 'revoked' || status === 'expired');
  return ended.length >= endedApiKeysListed;
}
