'use server';

import * as api from '../api/deliveries.ts';
import type { Delivery } from '../contract/deliveries/delivery.ts';
import type { TestWebhookInput } from '../contract/events/test-events.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

/** Sends the delivery again as soon as possible. @param delivery its uuid */
export async function retryDelivery(
  delivery: string,
): Promise<ActionResult<{ delivery: Delivery }>> {
  return await runServerAction(actionArguments.retryDelivery, [delivery], async (valid) => ({
    delivery: await api.retryDelivery(...valid),
  }));
}

/** Starts a delivery of a test event. @param webhook id or uuid */
export async function sendTest(
  webhook: string,
  input: TestWebhookInput,
): Promise<ActionResult<{ delivery: Delivery }>> {
  return await runServerAction(actionArguments.sendTest, [webhook, input], async (valid) => ({
    delivery: await api.sendTest(...valid),
  }));
}
