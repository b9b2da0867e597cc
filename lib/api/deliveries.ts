import 'server-only';
import * as contract from '../contract/deliveries.ts';
import type { Delivery } from '../contract/deliveries.ts';
import { request } from './client.ts';

/** Some of a webhook's deliveries, newest event first. */
export type DeliveriesPage = {
  deliveries: Delivery[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

const pageSize = 20;

/**
 * Twenty deliveries of the webhook with this id or uuid: the newest, or those from `older` on.
 * @throws ApiError
 */
export async function listDeliveries(
  webhook: string,
  older: string | null,
): Promise<DeliveriesPage> {
  const answer = await request(contract.listDeliveries, {
    params: { webhook },
    query: { limit: pageSize, ...(older === null ? {} : { cursor: older }) },
  });
  return { deliveries: answer.data, older: answer.next_cursor };
}

/** Sends a test event, once; what becomes of it stands in its delivery. @throws ApiError */
export async function sendTest(webhook: string): Promise<Delivery> {
  return (await request(contract.testWebhook, { params: { webhook }, body: {} })).data;
}
