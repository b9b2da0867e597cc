import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import type { InputArgument, RouteInput, RouteResponseBody } from '../contract/route.ts';
import type { ReadName, Routes } from '../contract/routes.ts';
import { dataPath } from '../paths/data-path.ts';
import { fetchData } from './read.ts';

/**
 * Whose data it is: that of an account, that of a person in an account, or, at the support desk,
 * that of a person in all accounts. The data of a person is apart from that of other people,
 * because another tab can sign in someone else.
 */
export type Owner = string | { person: { id: string }; account?: { id: string } };

type Body<Name extends ReadName> = RouteResponseBody<Routes[Name]> & object;

/** What a GET route responds with. */
export type ReadData<Name extends ReadName> =
  Body<Name> extends { data: infer Data } ? Data : never;

/** What the server needs to read the same data: of a list in pages, the first one. */
export type ReadMeta = { route: ReadName; input: object; isPaged: boolean };

/** A GET route as a query of the browser, which the server prefetches under the same key. */
export function routeQuery<const Name extends ReadName>(
  owner: Owner,
  route: Name,
  ...[input = {} as RouteInput<Routes[Name]>]: InputArgument<RouteInput<Routes[Name]>>
) {
  return queryOptions({
    queryKey: routeKey(owner, route, input),
    queryFn: async ({ signal }): Promise<ReadData<Name>> => {
      const body = await fetchData<{ data: ReadData<Name> }>(
        addressOf(owner, route, input),
        signal,
      );
      return body.data;
    },
    meta: { route, input, isPaged: false } satisfies ReadMeta,
  });
}

type Pages<Name extends ReadName> = {
  /** What tells this list from others of the route, if that is not the input of its first page. */
  key?: object;
  /** @param cursor null for the first page */
  inputOf: (cursor: string | null) => RouteInput<Routes[Name]>;
};

/** A GET route with a list that is read page by page, by cursor. */
export function routePages<const Name extends ReadName>(
  owner: Owner,
  route: Name,
  { inputOf, key = inputOf(firstCursor) }: Pages<Name>,
) {
  return infiniteQueryOptions({
    queryKey: routeKey(owner, route, key),
    queryFn: async ({ pageParam, signal }): Promise<Body<Name>> =>
      await fetchData(addressOf(owner, route, inputOf(pageParam)), signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => nextCursorOf(last),
    meta: { route, input: inputOf(firstCursor), isPaged: true } satisfies ReadMeta,
  });
}

/** The cursor of a page as a part of a query, which the first page has none of. */
export function cursorOf(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor };
}

/** Before the first page of a list. */
const firstCursor: string | null = null;

function nextCursorOf(body: { next_cursor?: string | null }): string | null {
  return body.next_cursor ?? null;
}

/**
 * Where the cache has the data of a route. A part of `input` matches every query whose input has
 * that part: `{ params: { webhook } }` matches all windows of a webhook's statistics.
 */
export function routeKey(owner: Owner, route: ReadName, input: object): QueryKey {
  const { account, person } = ids(owner);
  return person === null ? [route, account, input] : [route, account, input, person];
}

function addressOf(owner: Owner, route: ReadName, input: object): string {
  return dataPath(ids(owner).account, route, input);
}

function ids(owner: Owner): { account: string | null; person: string | null } {
  if (typeof owner === 'string') return { account: owner, person: null };
  return { account: owner.account?.id ?? null, person: owner.person.id };
}
