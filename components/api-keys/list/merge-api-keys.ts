import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { endedApiKeysListed } from '#lib/contract/api-keys/ended-api-keys.ts';

/** The keys of the list, followed by the older keys that are not in it. */
export function mergeApiKeys(listed: readonly ApiKey[], older: readonly ApiKey[]): ApiKey[] {
  const known = new Set(listed.map(({ uuid }) => uuid));
  return [...listed, ...older.filter(({ uuid }) => !known.has(uuid))];
}

/** Whether the list has as many ended keys as it can, so that older ones may be missing. */
export function mayOmitKeys(listed: readonly ApiKey[]): boolean {
  const ended = listed.filter(({ status }) => status === 'revoked' || status === 'expired');
  return ended.length >= endedApiKeysListed;
}
