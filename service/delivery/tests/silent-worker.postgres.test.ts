import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { respond } from '../../testing/delivery/receiver.ts';
import { DeliveryClient } from '../../testing/durability/delivery-client.ts';
import { DeliveryInstallation } from '../../testing/durability/delivery-installation.ts';
import { findSteadyOwners, startWorker } from '../../testing/durability/delivery-records.ts';

describe('deliveries on postgresql', { timeout: 300_000 }, () => {
  let installation: DeliveryInstallation;
  beforeEach(async () => {
    installation = await DeliveryInstallation.open('postgresql');
  });
  afterEach(() => installation.close());

  test('in progress in a worker that freezes are sent by another, and late results of the frozen one are ignored', async () => {
    const { receiver } = installation;
    const workers = [
      await startWorker(installation, 'api,worker'),
      await startWorker(installation, 'api,worker'),
    ];
    const origin = workers[0]?.service.origin ?? '';
    const client = new DeliveryClient(installation.token);
    const [webhook] = await client.addWebhooks(origin, receiver.origin, 1);
    const steady = () => findSteadyOwners(installation);
    await expect.poll(steady, { timeout: 30_000, interval: 200 }).toHaveLength(2);
    const held = Promise.withResolvers<void>();
    receiver.respondWith(async (exchange) => {
      await held.promise;
      await respond(410)(exchange);
    }, respond(204));
    await client.publish(origin);
    await receiver.received(1);
    const [{ owner } = { owner: null }] = (await installation.stored()).lanes;
    const frozen = workers.find((worker) => worker.owner === owner)?.service;
    const other = workers.find((worker) => worker.owner !== owner)?.service;
    if (!frozen || !other) throw new Error('neither worker holds the lane');
    frozen.freeze();
    await receiver.received(2);
    await client.settled(other.origin);
    frozen.wake();
    held.resolve();
    const codes = async () =>
      (await installation.stored()).attempts.map(({ statusCode }) => statusCode);
    await expect.poll(codes, { timeout: 20_000 }).toEqual([204, 410]);
    expect((await installation.stored()).deliveries).toMatchObject([
      { status: 'delivered', attemptCount: 1, lastStatusCode: 204 },
    ]);
    expect(await client.get(other.origin, `/webhooks/${webhook?.id}`)).toMatchObject({
      is_active: true,
      failure_count: 0,
    });
    await client.publish(other.origin);
    await receiver.received(3);
    await client.settled(other.origin);
    // It may have logged an error: on a busy machine, it is frozen for longer than a connection to
    // the database may take.
    await frozen.kill();
    await installation.end(other);
  });
});
