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
  const client = new QueryClient();
  await client.prefetchQuery({ queryKey: query.queryKey, queryFn: read, retry: false });
  return dehydrate(client);
}
