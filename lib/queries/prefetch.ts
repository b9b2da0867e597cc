import 'server-only';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { firstCursor } from './read.ts';

/** A query of the browser, and how the server reads its data. */
export type Prefetch = readonly [query: { queryKey: QueryKey }, read: () => Promise<unknown>];

/**
 * Reads data on the server for `PrefetchedQueries`. If a read fails, the state has no data of it:
 * the browser then reads by itself and shows the error in place of the data.
 *
 * @returns JSON: React serializes an object value by value, which is slow for long lists, but a
 *   string as a whole
 */
export async function prefetch(...prefetches: readonly Prefetch[]): Promise<string> {
  const client = new QueryClient();
  await Promise.all(
    prefetches.map(([{ queryKey }, read]) =>
      client.prefetchQuery({
        queryKey,
        // Called without TanStack Query's context, with which React's `cache` would treat it as a
        // different read.
        queryFn: async () => await read(),
        retry: false,
      }),
    ),
  );
  return JSON.stringify(dehydrate(client));
}

/** Reads the first page of a query whose pages are found by cursor. */
export function firstPageOf<Page>(read: () => Promise<Page>) {
  return async () => ({ pages: [await read()], pageParams: [firstCursor] });
}
