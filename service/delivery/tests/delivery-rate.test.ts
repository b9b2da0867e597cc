import { expect, test } from 'vitest';
import {
  addWebhook,
  eventually,
  publish,
  ScriptedReceivers,
  startTestWorker,
  withoutWorker,
} from '../../testing/delivery/delivery-worker.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, owner } = useApi();

test('a webhook with a delivery rate gets its deliveries at that rate, in order, also from slow attempts and from the next worker', async () => {
  const webhook = await addWebhook(ctx, owner);
  await updateWebhook(ctx, owner, { webhook: webhook.uuid, max_deliveries_per_second: 10 });
  await publish(withoutWorker(ctx), owner, 8);
  const times: number[] = [];
  const receivers = new ScriptedReceivers(ctx);
  receivers.respondWith = async () => {
    times.push(performance.now());
    return 200;
  };
  const first = startTestWorker({ ...ctx, db: ctx.workerDb }, { sender: receivers });
  await eventually(() => times.length).toBeGreaterThanOrEqual(4);
  await first.stop();
  const second = startTestWorker({ ...ctx, db: ctx.workerDb }, { sender: receivers });
  await eventually(() => times.length).toBe(8);
  await second.stop();

  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // Timers may fire a fraction of a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThan(95);
  expect(new Set(receivers.ids).size).toBe(8);
});

test('a delivery rate can be changed up to 100 a second, and removed', async () => {
  const { uuid } = await addWebhook(ctx, owner);
  expect(
    await updateWebhook(ctx, owner, { webhook: uuid, max_deliveries_per_second: 100 }),
  ).toMatchObject({ max_deliveries_per_second: 100 });
  expect(
    await updateWebhook(ctx, owner, { webhook: uuid, max_deliveries_per_second: null }),
  ).toMatchObject({ max_deliveries_per_second: null });
});
