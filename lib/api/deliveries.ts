import 'server-only';
import * as contract from '../contract/deliveries/deliveries.ts';
import type { Delivery, DeliveryWithAttempts } from '../contract/deliveries/deliveries.ts';
import * as totals from '../contract/deliveries/delivery-totals.ts';
import type { DeliveryTotals } from '../contract/deliveries/delivery-totals.ts';
import type { TestWebhookInput } from '../contract/events/test-events.ts';
import type { RouteQueryInput } from '../contract/route.ts';
import { request } from './client.ts';

/** Some of a webhook's deliveries, newest event first. */
export type DeliveriesPage = {
  deliveries: Delivery[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

/** Which ones, as the API names it. */
type DeliveriesQuery = Pick<
  RouteQueryInput<typeof contract.listDeliveries>,
  'status' | 'retried' | 'type' | 'about' | 'status_code' | 'since' | 'until' | 'cursor'
>;

/** The first page is read again and again, and shown first. Older ones are looked through. */
const firstPageSize = 20;
const olderPageSize = 100;

/**
 * The newest twenty deliveries of the webhook with this id or uuid, or the next hundred after `cursor`.
 * @throws ApiError
 */
export async function listDeliveries(
  webhook: string,
  query: DeliveriesQuery,
): Promise<DeliveriesPage> {
  const answer = await request(contract.listDeliveries, {
    params: { webhook },
    query: { limit: query.cursor === undefined ? firstPageSize : olderPageSize, ...query },
  });
  return { deliveries: answer.data, older: answer.next_cursor };
}

/** How many deliveries the webhook with this id or uuid has, by what became of them. @throws ApiError */
export async function getDeliveryTotals(webhook: string): Promise<DeliveryTotals> {
  return (await request(totals.getDeliveryTotals, { params: { webhook } })).data;
}

/** @param delivery its uuid or id @throws ApiError */
export async function getDelivery(delivery: string): Promise<DeliveryWithAttempts> {
  return (await request(contract.getDelivery, { params: { delivery } })).data;
}

/** Makes it due at once. @param delivery its uuid or id @throws ApiError */
export async function retryDelivery(delivery: string): Promise<Delivery> {
  return (await request(contract.retryDelivery, { params: { delivery } })).data;
}

/** Sends a test event, once; what becomes of it stands in its delivery. @throws ApiError */
export async function sendTest(webhook: string, input: TestWebhookInput): Promise<Delivery> {
  return (await request(contract.testWebhook, { params: { webhook }, body: input })).data;
}
