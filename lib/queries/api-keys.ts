import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EndedApiKeysPage } from '../api/api-keys.ts';
import type { ApiKey } from '../contract/api-keys/api-key.ts';
import type { EndedApiKeyStatus } from '../contract/api-keys/ended-api-keys.ts';
import { toQueryString } from '../query-string.ts';
import { read } from './read.ts';

/**
 * The account's keys as the browser refetches them; of the revoked and expired ones, those that ended
 * last. The server prefetches under the same key.
 */
export function apiKeysQuery(accountId: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId],
    queryFn: ({ signal }) => read<ApiKey[]>(accountId, 'api-keys', signal),
  });
}

/** One key. It stands below the list's key, so that what makes the list stale makes this stale too. */
export function apiKeyQuery(accountId: string, apiKey: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId, apiKey],
    queryFn: ({ signal }) =>
      read<ApiKey>(accountId, `api-keys/${encodeURIComponent(apiKey)}`, signal),
  });
}

/**
 * All revoked or all expired keys, those that ended last first. No page is read before it is asked
 * for. Its key stands below the list's, so that what makes the list stale makes these pages stale too.
 */
export function endedApiKeysQuery(accountId: string, status: EndedApiKeyStatus) {
  return infiniteQueryOptions({
    queryKey: [...apiKeysQuery(accountId).queryKey, 'ended', status],
    queryFn: ({ pageParam: cursor, signal }) =>
      read<EndedApiKeysPage>(accountId, `api-keys?${toQueryString({ status, cursor })}`, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.older,
    enabled: ({ state }) => state.data !== undefined,
  });
}
