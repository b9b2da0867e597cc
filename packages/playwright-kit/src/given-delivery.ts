import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { readData } from './api-client.ts';
import type { Control } from './control.ts';
import { readWebhook } from './pages/webhooks.ts';
import type { Receiver } from './receiver.ts';
import { writeMessage } from './write-message.ts';

/**
 * - `failing`: the first attempt failed, and the service will try again.
 * - `given up`: all attempts failed. Only in a service that the kit started, because it takes days.
 * - `deactivated`: the receiver responded with 410, which deactivated the webhook.
 */
export type DeliveryState = 'failing' | 'given up' | 'deactivated';

export type GivenDelivery = {
  webhook: { name: string; uuid: string };
  delivery: { uuid: string };
};

type Delivery = {
  uuid: string;
  status: string;
  attempt_count: number;
  last_attempt_at: string;
  next_attempt_at: string;
};

/** Brings a delivery into a state in the same way as a receiver does that is away. */
export async function bringDeliveryTo(
  state: DeliveryState,
  {
    api,
    control,
    receiver,
    webhook,
  }: {
    api: APIRequestContext;
    control: Control | null;
    receiver: Receiver;
    webhook: { name: string; uuid: string };
  },
): Promise<GivenDelivery> {
  async function read(): Promise<Delivery | undefined> {
    const response = await api.get(`/api/v1/webhooks/${webhook.uuid}/deliveries`);
    return (await readData<Delivery[]>(response))[0];
  }

  receiver.respondWith({ status: state === 'deactivated' ? 410 : 503 });
  await writeMessage(api, 'Where is my order?');
  await expect.poll(async () => (await read())?.attempt_count, 'an attempt failed').toBe(1);
  if (state === 'deactivated') {
    const statusOf = async () => (await readWebhook(api, webhook.uuid)).status;
    await expect.poll(statusOf, 'the webhook is deactivated').toBe('deactivated');
  }
  if (state === 'given up') {
    if (control === null) throw new Error('Only a service that the kit started can give up.');
    for (let before = await read(); before?.status === 'pending'; before = await read()) {
      const { attempt_count: count, last_attempt_at: last, next_attempt_at: next } = before;
      await control.moveClock({ ms: Date.parse(next) - Date.parse(last) });
      await expect.poll(async () => (await read())?.attempt_count).toBeGreaterThan(count);
    }
  }
  const delivery = await read();
  if (delivery === undefined) throw new Error('The webhook has no delivery.');
  return { webhook, delivery };
}
