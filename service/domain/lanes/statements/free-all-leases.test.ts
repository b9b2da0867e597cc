import { expect, test } from 'vitest';
import { addWebhook, publish } from '../../../testing/delivery/delivery-worker.ts';
import { useApi } from '../../../testing/use-api.ts';
import { claimLanes } from '../claim-lanes.ts';
import { freeAllLeases } from './free-all-leases.ts';

const { ctx, owner } = useApi();

test('the lanes of a killed process can be claimed at the next start, without waiting', async () => {
  const webhook = await addWebhook(ctx, owner);
  await publish(ctx, owner);
  await ctx.laneNotifier.idle();
  const claim = async () => {
    const options = {
      owner: crypto.randomUUID(),
      leaseMs: 30_000,
      limit: 10,
      maxDeliveries: 10,
      bytes: 1_000_000,
    };
    return (await claimLanes(ctx, options)).lanes.map(({ webhookId }) => webhookId);
  };
  expect([await claim(), await claim()]).toEqual([[webhook.id], []]);
  await freeAllLeases(ctx);
  expect(await claim()).toEqual([webhook.id]);
});
