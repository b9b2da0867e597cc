import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliveriesPage, FoundDelivery } from '../api/deliveries.ts';
import type { Delivery, DeliveryWithAttempts } from '../contract/deliveries/delivery.ts';
import type { DeliveryTotals } from '../contract/deliveries/delivery-totals.ts';
import { toQueryString } from '../paths/query-string.ts';
import { formatApiTime } from '../time.ts';
import { firstCursor, read } from './read.ts';
import { refetchDelay } from './refetch-interval.ts';
import { webhookQuery } from './webhooks.ts';

/** Which deliveries to read; a filter that is left out matches all. */
export type DeliveryFilter = {
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
  /** Made within so many milliseconds before now. */
  withinMs?: number | undefined;
  /** Made at this time or later, and before that one, as the API writes times. */
  since?: string | undefined;
  until?: string | undefined;
};

/** A webhook's deliveries, newest first. Invalidating the webhook also invalidates them. */
export function deliveriesQuery(accountId: string, webhook: string, filter: DeliveryFilter) {
  const path = `webhooks/${encodeURIComponent(webhook)}/deliveries`;
  return infiniteQueryOptions({
    queryKey: [...webhookQuery(accountId, webhook).queryKey, 'deliveries', filter],
    queryFn: ({ pageParam: older, signal }) =>
      read<DeliveriesPage>(accountId, `${path}?${searchOf(filter, older)}`, signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
    placeholderData: keepPreviousData,
  });
}

/** How many deliveries a webhook has. Invalidating the webhook also invalidates this. */
export function deliveryTotalsQuery(accountId: string, webhook: string) {
  const path = `webhooks/${encodeURIComponent(webhook)}/deliveries/totals`;
  return queryOptions({
    queryKey: [...webhookQuery(accountId, webhook).queryKey, 'delivery-totals'],
    queryFn: ({ signal }) => read<DeliveryTotals>(accountId, path, signal),
  });
}

/** One delivery with its attempts, refetched until it has ended. @param delivery its uuid */
export function deliveryQuery(accountId: string, delivery: string) {
  return queryOptions({
    queryKey: ['deliveries', accountId, delivery],
    queryFn: ({ signal }) =>
      read<DeliveryWithAttempts>(accountId, `deliveries/${encodeURIComponent(delivery)}`, signal),
    refetchInterval: ({ state: { data, error } }) =>
      data?.status === 'pending' && refetchDelay(error, pauseBeforeNextRead(data)),
  });
}

/** The deliveries of what has this id: a delivery, an event, a message or a conversation. */
export function foundDeliveriesQuery(accountId: string, id: string) {
  return queryOptions({
    queryKey: ['found-deliveries', accountId, id],
    queryFn: ({ signal }) =>
      read<FoundDelivery[]>(accountId, `found-deliveries/${encodeURIComponent(id)}`, signal),
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
function searchOf(filter: DeliveryFilter, older: string | null): string {
  const { status, retried, replayed, type, about, statusCode, withinMs, since, until } = filter;
  return toQueryString({
    status,
    retried,
    replayed,
    type,
    about,
    status_code: statusCode,
    since: withinMs === undefined ? since : formatApiTime(new Date(Date.now() - withinMs)),
    until,
    cursor: older,
  });
}
