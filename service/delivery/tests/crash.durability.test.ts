import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { respond, after } from '../../testing/delivery/receiver.ts';
import { DeliveryClient } from '../../testing/durability/delivery-client.ts';
import { DeliveryInstallation } from '../../testing/durability/delivery-installation.ts';
import { expectNothingLost } from '../../testing/durability/delivery-records.ts';
import { describeUnannouncedDeliveries } from '../../testing/durability/unannounced-deliveries.ts';
import { isFullRun } from '../../testing/full-run.ts';

const kills = isFullRun ? 10 : 1;
const timeout = isFullRun ? 900_000 : 300_000;

describe('deliveries on pglite', { timeout }, () => {
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
    for (let kill = 1; kill <= kills; kill += 1) {
      const load = client.publishUntilStopped(service.origin);
      await receiver.received(receiver.requests.length + randomInt(20, isFullRun ? 150 : 60));
      // The last request that was counted has no response yet.
      await installation.end(service);
      await load.stop();
      service = await installation.start('api,worker');
    }
    await client.settled(service.origin);
    await installation.end(service);
    await annotate(`${kills} kills, ${await expectNothingLost(installation, client)}`);
  });
});

// Both engines use the same sweep, and `worker.test.ts` tests it without a crash.
if (isFullRun) describeUnannouncedDeliveries('pglite');
