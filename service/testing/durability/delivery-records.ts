import { expect } from 'vitest';
import { workerPaces } from '../../delivery/worker-pace.ts';
import type { ServiceProcess } from '../processes/service-process.ts';
import type { DeliveryClient } from './delivery-client.ts';
import type { DeliveryInstallation } from './delivery-installation.ts';

/** Checks that everything published is complete, at the receiver and in the stored data. */
export async function expectNothingLost(
  installation: DeliveryInstallation,
  client: DeliveryClient,
): Promise<string> {
  const { receiver } = installation;
  const stored = await installation.stored();
  const { deliveries, attempts } = stored;
  const events = stored.events.filter(({ type }) => type === 'message.created');
  const bodies = new Map(events.map(({ uuid, payload }) => [`msg_${uuid}`, payload]));
  const messages = new Set(events.map(({ payload }) => messageIn(payload)));
  expect([...client.acknowledged].filter((uuid) => !messages.has(uuid))).toEqual([]);

  const got = new Set<string>();
  for (const { path, headers, body } of receiver.requests) {
    const messageId = String(headers['webhook-id']);
    // The same event has the same id however often it is received.
    expect(body).toBe(bodies.get(messageId));
    got.add(`${path} ${messageId}`);
  }
  const lost = client.webhooks.flatMap(({ path }) =>
    [...bodies.keys()].map((id) => `${path} ${id}`).filter((each) => !got.has(each)),
  );
  expect(lost).toEqual([]);

  expect(deliveries).toHaveLength(events.length * client.webhooks.length);
  expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
  const withSuccess = new Set(
    attempts.filter(({ statusCode }) => statusCode === 204).map(deliveryOf),
  );
  expect(deliveries.filter((delivery) => !withSuccess.has(deliveryOf(delivery)))).toEqual([]);
  const duplicates = receiver.requests.length - got.size;
  // The kills must have interrupted attempts in progress, or the test would have shown nothing.
  expect(duplicates).toBeGreaterThan(0);
  return `${got.size} deliveries of ${events.length} events: 0 lost, ${duplicates} came again`;
}

/** Starts a service that is a worker, and finds the id with which it owns lanes. */
export async function startWorker(
  installation: DeliveryInstallation,
  roles = 'worker',
): Promise<{ service: ServiceProcess; owner: string }> {
  const before = new Set((await installation.stored()).workers.map(({ owner }) => owner));
  const service = await installation.start(roles);
  let owner: string | undefined;
  const findOwner = async () => {
    const { workers } = await installation.stored();
    owner = workers.find((worker) => !before.has(worker.owner))?.owner;
    return owner;
  };
  await expect.poll(findOwner, { timeout: 30_000, interval: 200 }).toBeDefined();
  return { service, owner: owner ?? '' };
}

/** Workers that have been running long enough to declare others dead. */
export async function findSteadyOwners(installation: DeliveryInstallation): Promise<string[]> {
  const { deadAfterMs } = workerPaces.postgresql;
  return (await installation.stored()).workers
    .filter(
      ({ lastHeartbeatAt, steadySince }) =>
        lastHeartbeatAt.getTime() - steadySince.getTime() >= deadAfterMs,
    )
    .map(({ owner }) => owner);
}

/** How many deliveries only the sweep of this service found, because no worker was notified. */
export async function countRepaired({ origin }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^webhook_deliveries_repaired_total (\d+)$/m.exec(metrics)?.[1]);
}

function deliveryOf({ webhookId, eventId }: { webhookId: number; eventId: number }): string {
  return `${webhookId} ${eventId}`;
}

function messageIn(payload: string): string {
  return (JSON.parse(payload) as { data: { message: { uuid: string } } }).data.message.uuid;
}
