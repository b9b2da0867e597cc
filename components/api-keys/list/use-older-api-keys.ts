import { useInfiniteQuery } from '@tanstack/react-query';
import type { OlderPages } from '#components/shell/page/use-older-pages.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { EndedApiKeyStatus } from '#lib/contract/api-keys/ended-api-keys.ts';
import { cursorOf, routePages } from '#lib/queries/route-query.ts';

/** The revoked or expired keys that were loaded in addition to the list. */
export type OlderApiKeys = Omit<OlderPages, 'load'> & {
  apiKeys: readonly ApiKey[];
  /** Reads pages until one has a key that is not in `loaded`, or none is left. */
  loadMore: (loaded: readonly ApiKey[]) => Promise<void>;
};

export function useOlderApiKeys(accountId: string, status: EndedApiKeyStatus): OlderApiKeys {
  const { data, error, ...reading } = useInfiniteQuery({
    // No page is read before it is requested.
    ...routePages(accountId, 'listApiKeys', {
      inputOf: (cursor) => ({ query: { status, limit: 100, ...cursorOf(cursor) } }),
    }),
    enabled: ({ state }) => state.data !== undefined,
    // These keys hardly change, and while a dialog may show a token nothing below it must rerender.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  return {
    apiKeys: data?.pages.flatMap((page) => page.data) ?? [],
    hasMore: data === undefined || reading.hasNextPage,
    isLoading: reading.isFetchingNextPage || (data === undefined && reading.isFetching),
    error,
    failedAt: reading.errorUpdatedAt,
    async loadMore(loaded) {
      const known = new Set(loaded.map(({ uuid }) => uuid));
      // The first pages may contain only keys that are in the list already.
      for (;;) {
        const read = await reading.fetchNextPage();
        const newest = read.data?.pages.at(-1)?.data ?? [];
        const hasNew = newest.some(({ uuid }) => !known.has(uuid));
        if (read.isError || hasNew || !read.hasNextPage) return;
      }
    },
  };
}
