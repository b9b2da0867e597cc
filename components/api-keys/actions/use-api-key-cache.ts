'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { readsAbout } from '#lib/queries/stale-reads.ts';

type ApiKeyCache = {
  /** Shows the end of a new token in the list and on the key's page. */
  setLastFour: (rotated: { uuid: string; lastFour: string }) => void;
  /** Reads all keys and rotation requests again. */
  refetch: () => void;
};

/** Access to the query cache of the account's keys. */
export function useApiKeyCache(accountId: string): ApiKeyCache {
  const client = useQueryClient();
  const { queryKey } = routeQuery(accountId, 'listApiKeys');
  return {
    setLastFour: ({ uuid, lastFour }) => {
      const update = (one: ApiKey) => (one.uuid === uuid ? { ...one, last_four: lastFour } : one);
      client.setQueryData(queryKey, (list) => list?.map(update));
      client.setQueryData(
        routeQuery(accountId, 'getApiKey', { params: { apiKey: uuid } }).queryKey,
        (one) => one && update(one),
      );
    },
    refetch: () => {
      void client.invalidateQueries(readsAbout('apiKeys', accountId));
      void client.invalidateQueries(readsAbout('rotationRequests', accountId));
    },
  };
}
