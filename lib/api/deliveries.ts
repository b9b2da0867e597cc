import 'server-only';
import * as contract from '../contract/deliveries/deliveries.ts';
import type { Delivery, DeliveryWithAttempts } from '../contract/deliveries/delivery.ts';
import * as totals from '../contract/deliveries/delivery-totals.ts';
import type { DeliveryTotals } from '../contract/deliveries/delivery-totals.ts';
import { findDeliveries as findRoute } from '../contract/deliveries/found-deliveries.ts';
import type { TestWebhookInput } from '../contract/events/test-events.ts';
import type { RouteQueryInput } from '../contract/route.ts';
import { ApiError } from './api-error.ts';
import { request } from './client/client.ts';

/** Some of a webhook's deliveries, newest first. */
export type DeliveriesPage = {
  deliveries: Delivery[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

/** The filter, as the API names it. */
type DeliveriesQuery = Pick<
  RouteQueryInput<typeof contract.listDeliveries>,
  | 'status'
  | 'retried'
  | 'replayed'
  | 'type'
  | 'about'
  | 'status_code'
  | 'since'
  | 'until'
  | 'cursor'
>;

/**
 * The first page is read repeatedly and shown first, so it is small. Older pages are only searched.
 */
const firstPageSize = 20;
const olderPageSize = 100;

/**
 * The newest twenty deliveries of the webhook with this id or uuid, or the next hundred after
 * `cursor`.
 * @throws ApiError
 */
export async function listDeliveries(
  webhook: string,
  query: DeliveriesQuery,
): Promise<DeliveriesPage> {
  const response = await request(contract.listDeliveries, {
    params: { webhook },
    query: { limit: query.cursor === undefined ? firstPageSize : olderPageSize, ...query },
  });
  return { deliveries: response.data, older: response.next_cursor };
}

/** How many deliveries the webhook with this id or uuid has, by outcome. @throws ApiError */
export async function getDeliveryTotals(webhook: string): Promise<DeliveryTotals> {
  return (await request(totals.getDeliveryTotals, { params: { webhook } })).data;
}

/** @param delivery its uuid or id @throws ApiError */
export async function getDelivery(delivery: string): Promise<DeliveryWithAttempts> {
  return (await request(contract.getDelivery, { params: { delivery } })).data;
}

/** A delivery that was found by an id, in the form that the list has. */
export type FoundDelivery = Pick<
  Delivery,
  | 'uuid'
  | 'webhook_id'
  | 'event'
  | 'status'
  | 'attempt_count'
  | 'next_attempt_at'
  | 'last_error'
  | 'created_at'
>;

/**
 * The deliveries that a `webhook-id` or the id of a delivery, event, message or conversation finds;
 * empty if there are none.
 * @throws ApiError
 */
export async function findDeliveries(id: string): Promise<FoundDelivery[]> {
  const found = await unlessMissing(request(findRoute, { params: { delivery: id } }));
  return (found?.data ?? []).map(asFound);
}

/** Only what the palette shows. */
function asFound(delivery: Delivery): FoundDelivery {
  const { uuid, webhook_id, event, status, attempt_count, created_at } = delivery;
  const { next_attempt_at, last_error } = delivery;
  return {
    uuid,
    webhook_id,
    event,
    status,
    attempt_count,
    next_attempt_at,
    last_error,
    created_at,
  };
}

async function unlessMissing<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Makes the delivery due at once. @param delivery its uuid or id @throws ApiError */
export async function retryDelivery(delivery: string): Promise<Delivery> {
  return (await request(contract.retryDelivery, { params: { delivery }, body: {} })).data;
}

/** Sends a test event, once. Its delivery has the result. @throws ApiError */
export async function sendTest(webhook: string, input: TestWebhookInput): Promise<Delivery> {
  return (await request(contract.testWebhook, { params: { webhook }, body: input })).data;
}
