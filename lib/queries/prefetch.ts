import 'server-only';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { DehydratedState, QueryKey } from '@tanstack/react-query';

/**
 * Reads a list on the server for `HydrationBoundary`. A read that fails leaves the state empty: the
 * browser then asks by itself and shows in place of the rows what went wrong.
 */
export async function prefetch<Data>(
  query: { queryKey: QueryKey },
  read: () => Promise<Data>,
): Promise<DehydratedState> {
  return await prefetchAll([[query, read]]);
}

/** The same for several at once. */
export async function prefetchAll(
  reads: readonly (readonly [{ queryKey: QueryKey }, () => Promise<unknown>])[],
): Promise<DehydratedState> {
  const client = new QueryClient();
  await Promise.all(
    reads.map(([{ queryKey }, read]) =>
      client.prefetchQuery({
        queryKey,
        // Called without TanStack Query's context: React's `cache` would take it for a different read.
        queryFn: async () => await read(),
        retry: false,
      }),
    ),
  );
  return dehydrate(client);
}
