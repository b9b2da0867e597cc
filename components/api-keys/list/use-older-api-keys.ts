'use client';

import { useInfiniteQuery } from '@tanstack/react-query';

import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { EndedApiKeyStatus } from '#lib/contract/ended-api-keys.ts';
import { endedApiKeysQuery } from '#lib/queries/api-keys.ts';

/** The revoked or the expired keys that were loaded beside the list, which may leave some out. */
export type OlderApiKeys = {
  apiKeys: readonly ApiKey[];
  /** Whether there may be more. */
  hasMore: boolean;
  isLoading: boolean;
  error: Error | null;
  failedAt: number;
  /** Reads pages until one has a key that is not in `loaded`, or none is left. */
  loadMore: (loaded: readonly ApiKey[]) => Promise<void>;
};

export function useOlderApiKeys(accountId: string, status: EndedApiKeyStatus): OlderApiKeys {
  const { data, error, ...reading } = useInfiniteQuery({
    ...endedApiKeysQuery(accountId, status),
    // They hardly change, and coming back to the tab must change nothing below a token on show.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  return {
    apiKeys: data?.pages.flatMap((page) => page.apiKeys) ?? [],
    hasMore: data === undefined || reading.hasNextPage,
    isLoading: reading.isFetchingNextPage || (data === undefined && reading.isFetching),
    error,
    failedAt: reading.errorUpdatedAt,
    async loadMore(loaded) {
      const known = new Set(loaded.map(({ uuid }) => uuid));
      // The first pages may hold only keys that the list has as well.
      for (;;) {
        const read = await reading.fetchNextPage();
        const newest = read.data?.pages.at(-1)?.apiKeys ?? [];
        const hasNew = newest.some(({ uuid }) => !known.has(uuid));
        if (read.isError || hasNew || !read.hasNextPage) return;
      }
    },
  };
}
