import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { after, respond } from '../../testing/delivery/receiver.ts';
import { DeliveryClient } from '../../testing/durability/delivery-client.ts';
import { DeliveryInstallation } from '../../testing/durability/delivery-installation.ts';
import {
  countRepaired,
  expectNothingLost,
  startWorker,
} from '../../testing/durability/delivery-records.ts';
import { watchSilences } from '../../testing/durability/worker-silences.ts';

describe('deliveries on postgresql', { timeout: 300_000 }, () => {
  let installation: DeliveryInstallation;
  beforeEach(async () => {
    installation = await DeliveryInstallation.open('postgresql');
  });
  afterEach(() => installation.close());

  test('all arrive although a worker is killed in the middle of them, and another has within seconds what it held', async ({
    annotate,
  }) => {
    const { receiver } = installation;
    const silences = await watchSilences(installation.databaseUrl);
    const api = await installation.start('api');
    const workers = [await startWorker(installation), await startWorker(installation)];
    const client = new DeliveryClient(installation.token);
    await client.addWebhooks(api.origin, receiver.origin, 4);
    receiver.respondWith(after(5, respond(204)));
    const load = client.publishUntilStopped(api.origin);
    await receiver.received(receiver.requests.length + randomInt(20, 60));
    const held = Promise.withResolvers<void>();
    receiver.respondWith(async (exchange) => {
      await held.promise;
      await respond(204)(exchange);
    });
    await receiver.received(receiver.requests.length + 1);
    // The worker to kill is the one whose attempt waits for its response.
    const owner = await ownerOf(client, receiver.requests.at(-1)?.path);
    const index = workers.findIndex((worker) => worker.owner === owner);
    const [victim] = workers.splice(index, 1);
    if (index < 0 || !victim) throw new Error('no worker has the attempt that is held');
    await installation.end(victim.service);
    held.resolve();
    await load.stop();
    await client.settled(api.origin);
    workers.push(await startWorker(installation));
    // The death of a worker leaves no lane without a wake-up, so the sweep finds nothing.
    expect(await Promise.all(workers.map(({ service }) => countRepaired(service)))).toEqual([0, 0]);
    await annotate(await expectNothingLost(installation, client));
    const { freed, slowestMs, allowedMs, ranOut, maxGapMs } = await silences.end();
    await annotate(
      `${freed} leases of the dead were freed, the latest after ${slowestMs} ms; the living were heard of every ${maxGapMs} ms at the latest`,
    );
    expect(freed).toBeGreaterThan(0);
    expect(slowestMs).toBeLessThan(allowedMs);
    expect(ranOut).toBe(0);
  });

  /** The worker that holds the lane of the webhook with this path. */
  async function ownerOf(client: DeliveryClient, path = ''): Promise<string | null> {
    const webhook = client.webhooks.find((each) => each.path === path);
    const { lanes } = await installation.stored();
    return lanes.find(({ webhookId }) => webhookId === webhook?.id)?.owner ?? null;
  }
});
