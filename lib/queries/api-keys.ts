import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EndedApiKeysPage } from '../api/api-keys.ts';
import type { ApiKey } from '../contract/api-keys/api-key.ts';
import type { EndedApiKeyStatus } from '../contract/api-keys/ended-api-keys.ts';
import type { FailedCall, FailedCallsOfKey } from '../contract/api-keys/failed-calls.ts';
import { toQueryString } from '../paths/query-string.ts';
import { firstCursor, read } from './read.ts';

/**
 * The account's keys, as the browser refetches them, with the revoked and expired keys that ended
 * last. The server prefetches under the same key.
 */
export function apiKeysQuery(accountId: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId],
    queryFn: ({ signal }) => read<ApiKey[]>(accountId, 'api-keys', signal),
  });
}

/**
 * One key. Its query key starts with the list's, so that invalidating the list also invalidates
 * this.
 */
export function apiKeyQuery(accountId: string, apiKey: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId, apiKey],
    queryFn: ({ signal }) =>
      read<ApiKey>(accountId, `api-keys/${encodeURIComponent(apiKey)}`, signal),
  });
}

/**
 * All revoked or all expired keys, those that ended last first. No page is read before it is
 * requested. Its query key starts with the list's, so that invalidating the list also invalidates
 * these pages.
 */
export function endedApiKeysQuery(accountId: string, status: EndedApiKeyStatus) {
  return infiniteQueryOptions({
    queryKey: [...apiKeysQuery(accountId).queryKey, 'ended', status],
    queryFn: ({ pageParam: cursor, signal }) =>
      read<EndedApiKeysPage>(accountId, `api-keys?${toQueryString({ status, cursor })}`, signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
    enabled: ({ state }) => state.data !== undefined,
  });
}

/**
 * The refused and failed calls of a key. Its query key starts with the list's, so that invalidating
 * the list also invalidates this.
 */
export function failedCallsQuery(accountId: string, apiKey: string) {
  return queryOptions({
    queryKey: [...apiKeyQuery(accountId, apiKey).queryKey, 'failed-calls'],
    queryFn: ({ signal }) =>
      read<FailedCallsOfKey>(
        accountId,
        `api-keys/${encodeURIComponent(apiKey)}/failed-calls`,
        signal,
      ),
  });
}

/** The refused or failed calls of the account with a request id. */
export function foundCallsQuery(accountId: string, requestId: string) {
  return queryOptions({
    queryKey: ['failed-calls', accountId, requestId],
    queryFn: ({ signal }) =>
      read<FailedCall[]>(accountId, `failed-calls/${encodeURIComponent(requestId)}`, signal),
  });
}
