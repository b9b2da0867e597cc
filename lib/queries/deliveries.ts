import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Delivery } from '../contract/deliveries/delivery.ts';
import { liveList, type TimeFilter, timeQuery } from './live-list.ts';
import { refetchDelay } from './refetch-interval.ts';
import { cursorOf, routePages, routeQuery } from './route-query.ts';

/** Which deliveries to read; a filter that is left out matches all. */
export type DeliveryFilter = TimeFilter & {
  status?: Delivery['status'] | undefined;
  /** Had a failed attempt and was delivered since or will be tried again. */
  retried?: true | undefined;
  /** Whether a replay sent it last. */
  replayed?: boolean | undefined;
  type?: Delivery['event']['type'] | undefined;
  /** The uuid of an event, a delivery, a message or a conversation, or the id of a conversation. */
  about?: string | undefined;
  /** The status of the latest response, from 300 to 599. */
  statusCode?: number | undefined;
};

/** A webhook's deliveries, newest first. The first page is small, because it is read repeatedly. */
export function deliveriesQuery(accountId: string, webhook: string, filter: DeliveryFilter) {
  const params = { webhook };
  return infiniteQueryOptions({
    ...routePages(accountId, 'listDeliveries', {
      key: { params, filter },
      inputOf: (cursor) => ({
        params,
        query: { ...searchOf(filter), ...cursorOf(cursor), limit: cursor === null ? 20 : 100 },
      }),
    }),
    ...liveList(3000),
  });
}

/** One delivery with its attempts, refetched until it has ended. @param delivery its uuid */
export function deliveryQuery(accountId: string, delivery: string) {
  return queryOptions({
    ...routeQuery(accountId, 'getDelivery', { params: { delivery } }),
    refetchInterval: ({ state: { data, error } }) =>
      data?.status === 'pending' && refetchDelay(error, pauseBeforeNextRead(data)),
  });
}

const liveMs = 2000;
const atRestMs = 30_000;

/** In milliseconds, for a delivery that is pending. */
function pauseBeforeNextRead(delivery: Delivery): number {
  const dueInMs = Date.parse(delivery.next_attempt_at ?? '') - Date.now();
  return dueInMs > atRestMs ? atRestMs : liveMs;
}

/** As the API names them. */
function searchOf({ status, type, about, retried, replayed, ...filter }: DeliveryFilter) {
  return {
    status,
    type,
    about,
    retried: retried && ('true' as const),
    replayed: replayed === undefined ? undefined : (`${replayed}` as const),
    status_code: filter.statusCode,
    ...timeQuery(filter),
  };
}
