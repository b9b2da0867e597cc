import { queryOptions } from '@tanstack/react-query';
import type { ApiKey } from '../contract/api-keys.ts';
import { read } from './read.ts';

/** All keys of the account, as the browser refetches them. The server prefetches under the same key. */
export function apiKeysQuery(accountId: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId],
    queryFn: ({ signal }) => read<ApiKey[]>('/data/api-keys', signal),
  });
}

/** One key. It stands below the list's key, so that what makes the list stale makes this stale too. */
export function apiKeyQuery(accountId: string, apiKey: string) {
  return queryOptions({
    queryKey: ['api-keys', accountId, apiKey],
    queryFn: ({ signal }) => read<ApiKey>(`/data/api-keys/${encodeURIComponent(apiKey)}`, signal),
  });
}
