import { keepPreviousData } from '@tanstack/react-query';
import { formatApiTime } from '../time.ts';
import { refetchDelay } from './refetch-interval.ts';

/** The span of time of which a list is read. */
export type TimeFilter = {
  /** Within so many milliseconds before now. */
  withinMs?: number | undefined;
  /** At this time or later, and before that one, as the API writes times. */
  since?: string | undefined;
  until?: string | undefined;
};

/** The filter as the API names it, at this moment. */
export function timeQuery({ withinMs, since, until }: TimeFilter) {
  return {
    since: withinMs === undefined ? since : formatApiTime(new Date(Date.now() - withinMs)),
    until,
  };
}

type PagedState = { error: unknown; data: { pages: readonly unknown[] } | undefined };

/**
 * For a list that shows new items by itself, and the previous ones while a filter changes. Each
 * page costs a request, so the interval grows with the number of pages.
 */
export function liveList(everyMs: number) {
  return {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { error, data } }: { state: PagedState }) =>
      refetchDelay(error, everyMs * (data?.pages.length ?? 1)),
  };
}
