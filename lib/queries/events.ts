import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RouteQueryInput } from '../contract/route.ts';
import type { Routes } from '../contract/routes.ts';
import { liveList, type TimeFilter, timeQuery } from './live-list.ts';
import { refetchDelay } from './refetch-interval.ts';
import { cursorOf, routePages, routeQuery } from './route-query.ts';

/** Which events to read; a filter that is left out matches all. */
export type EventFilter = Pick<
  RouteQueryInput<Routes['listEvents']>,
  'type' | 'outcome' | 'about'
> &
  TimeFilter;

/** The account's events with their outcomes, newest first. */
export function eventsQuery(accountId: string, filter: EventFilter) {
  return infiniteQueryOptions({
    ...routePages(accountId, 'listEvents', {
      key: filter,
      inputOf: (cursor) => ({
        query: {
          type: filter.type,
          outcome: filter.outcome,
          about: filter.about,
          ...timeQuery(filter),
          ...cursorOf(cursor),
          with_outcomes: 'true' as const,
          limit: cursor === null ? 50 : 100,
        },
      }),
    }),
    ...liveList(4000),
  });
}

/** One event with its outcome at each webhook, refetched while it is open. @param event its uuid */
export function eventQuery(accountId: string, event: string) {
  return queryOptions({
    ...routeQuery(accountId, 'getEvent', { params: { event } }),
    refetchInterval: ({ state: { data, error } }) => {
      const isMoving = data?.outcomes.some(({ outcome }) => movingOutcomes.has(outcome)) ?? false;
      return refetchDelay(error, isMoving ? 2000 : 15_000);
    },
  });
}

const movingOutcomes: ReadonlySet<string> = new Set(['pending', 'retrying']);
