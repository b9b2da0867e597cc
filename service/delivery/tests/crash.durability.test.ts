import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { respond, after } from '../../testing/delivery/receiver.ts';
import { DeliveryClient } from '../../testing/durability/delivery-client.ts';
import { DeliveryInstallation } from '../../testing/durability/delivery-installation.ts';
import { countRepaired, expectNothingLost } from '../../testing/durability/delivery-records.ts';

const diesBeforeWake = new URL(
  '../../testing/processes/preloads/dies-before-wake.ts',
  import.meta.url,
);
const quickSweeps = new URL('../../testing/processes/preloads/quick-sweeps.ts', import.meta.url);

describe('deliveries on pglite', { timeout: 300_000 }, () => {
  let installation: DeliveryInstallation;
  beforeEach(async () => {
    installation = await DeliveryInstallation.open('pglite');
  });
  afterEach(() => installation.close());

  test('all arrive even if the service is killed while it sends them', async ({ annotate }) => {
    const { receiver } = installation;
    let service = await installation.start('api,worker');
    const client = new DeliveryClient(installation.token);
    await client.addWebhooks(service.origin, receiver.origin, 4);
    receiver.respondWith(after(5, respond(204)));
    const load = client.publishUntilStopped(service.origin);
    await receiver.received(receiver.requests.length + randomInt(20, 60));
    // The last request that was counted has no response yet.
    await installation.end(service);
    await load.stop();
    service = await installation.start('api,worker');
    await client.settled(service.origin);
    await installation.end(service);
    await annotate(await expectNothingLost(installation, client));
  });

  test('whose publisher was killed before it notified a worker are found by the sweep', async () => {
    const dying = await installation.start('api,worker', diesBeforeWake);
    const client = new DeliveryClient(installation.token);
    await client.addWebhooks(dying.origin, installation.receiver.origin, 1);
    await expect(client.publish(dying.origin)).rejects.toThrow('fetch failed');
    await dying.kill();
    const repairer = await installation.start('api,worker', quickSweeps);
    await installation.receiver.received(1);
    expect(await countRepaired(repairer)).toBe(1);
  });
});
