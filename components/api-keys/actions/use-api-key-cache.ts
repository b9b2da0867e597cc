'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { apiKeyQuery, apiKeysQuery } from '#lib/queries/api-keys.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';

type ApiKeyCache = {
  /** Shows the end of a new token in the list and on the key's page. */
  setLastFour: (rotated: { uuid: string; lastFour: string }) => void;
  /** Reads all keys and rotation requests again. */
  refetch: () => void;
};

/** Access to the query cache of the account's keys. */
export function useApiKeyCache(accountId: string): ApiKeyCache {
  const client = useQueryClient();
  const { queryKey } = apiKeysQuery(accountId);
  return {
    setLastFour: ({ uuid, lastFour }) => {
      const update = (one: ApiKey) => (one.uuid === uuid ? { ...one, last_four: lastFour } : one);
      client.setQueryData(queryKey, (list) => list?.map(update));
      client.setQueryData(apiKeyQuery(accountId, uuid).queryKey, (one) => one && update(one));
    },
    refetch: () => {
      // The query keys of single keys and webhooks begin with the list's, so this covers them as
      // well.
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: rotationRequestsQuery(accountId).queryKey });
    },
  };
}
