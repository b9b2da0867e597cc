import 'server-only';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { cache } from 'react';
import { call } from '../api/call.ts';
import type { DashboardRoute, RouteInput } from '../contract/route.ts';
import { routes } from '../contract/routes.ts';
import type { ReadName, Routes } from '../contract/routes.ts';
import type { ReadData, ReadMeta } from './route-query.ts';

/** What `routeQuery` and `routePages` return. */
type RouteQuery = { queryKey: QueryKey; meta?: Record<string, unknown> | undefined };

/**
 * Reads data on the server for `PrefetchedQueries`. If a read fails, the state has no data of it:
 * the browser then reads by itself and shows the error in place of the data.
 *
 * @returns JSON: React serializes an object value by value, which is slow for long lists, but a
 *   string as a whole
 */
export async function prefetch(...queries: readonly RouteQuery[]): Promise<string> {
  const client = new QueryClient();
  await Promise.all(
    queries.map(({ queryKey, meta }) => {
      const { route, input, isPaged } = meta as ReadMeta;
      return client.prefetchQuery({
        queryKey,
        queryFn: async () => {
          const body = await bodyOnce(route, JSON.stringify(input));
          return isPaged ? { pages: [body], pageParams: [null] } : body.data;
        },
        retry: false,
      });
    }),
  );
  return JSON.stringify(dehydrate(client));
}

/** What a GET route responds with, read once per request of a page. @throws ApiError */
export async function read<const Name extends ReadName>(
  route: Name,
  input: RouteInput<Routes[Name]>,
): Promise<ReadData<Name>> {
  return (await bodyOnce(route, JSON.stringify(input))).data as ReadData<Name>;
}

/** Layouts and their pages often need the same read. React compares the arguments by identity. */
const bodyOnce = cache(async (name: ReadName, input: string): Promise<{ data: unknown }> => {
  const route: DashboardRoute = routes[name];
  const body: unknown = await call(route, JSON.parse(input) as object);
  return body as { data: unknown };
});
