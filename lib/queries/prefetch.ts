import 'server-only';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';

/**
 * Reads a list on the server for `PrefetchedQueries`. If a read fails, the state has no data: the
 * browser then reads by itself and shows the error in place of the rows.
 *
 * @returns JSON: React serializes an object value by value, which is slow for long lists, but a
 *   string as a whole
 */
export async function prefetch<Data>(
  query: { queryKey: QueryKey },
  read: () => Promise<Data>,
): Promise<string> {
  return await prefetchAll([[query, read]]);
}

/** The same for several at once. */
export async function prefetchAll(
  reads: readonly (readonly [{ queryKey: QueryKey }, () => Promise<unknown>])[],
): Promise<string> {
  const client = new QueryClient();
  await Promise.all(
    reads.map(([{ queryKey }, read]) =>
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
