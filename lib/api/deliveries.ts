import 'server-only';
import * as contract from '../contract/deliveries/deliveries.ts';
import type { Delivery, DeliveryWithAttempts } from '../contract/deliveries/deliveries.ts';
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
  'status' | 'retried' | 'type' | 'since' | 'until' | 'cursor'
>;

const pageSize = 20;

/**
 * Twenty deliveries of the webhook with this id or uuid: the newest, or those from `cursor` on.
 * @throws ApiError
 */
export async function listDeliveries(
  webhook: string,
  query: DeliveriesQuery,
): Promise<DeliveriesPage> {
  const answer = await request(contract.listDeliveries, {
    params: { webhook },
    query: { limit: pageSize, ...query },
  });
  return { deliveries: answer.data, older: answer.next_cursor };
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
export async function sendTest(webhook: string): Promise<Delivery> {
  return (await request(contract.testWebhook, { params: { webhook }, body: {} })).data;
}
