import { sql } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Worker } from '../worker.ts';
import {
  addWebhook,
  eventually,
  publish,
  ScriptedReceivers,
  startTestWorker,
} from '../../testing/delivery/delivery-worker.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, owner: actor } = useApi({ engine: 'postgresql' });
let worker: Worker | undefined;
afterAll(async () => {
  await worker?.stop();
});

test('deliveries and their changes go on while calls use every connection of the shared pool', async () => {
  const webhook = await addWebhook(ctx, actor);
  await publish(ctx, actor);
  const held = Promise.withResolvers<void>();
  const calls = Array.from({ length: 10 }, async () => {
    await ctx.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await held.promise;
    });
  });
  onTestFinished(async () => {
    held.resolve();
    await Promise.all(calls);
  });

  const receivers = new ScriptedReceivers(ctx);
  receivers.respondWith = () => 410;
  worker = startTestWorker({ ...ctx, db: ctx.workerDb }, { sender: receivers });
  // The audit entries that the worker writes are chained too.
  await eventually(async () => {
    const { rows } = await ctx.workerDb.execute(
      sql`select inactive_reason from webhooks where id = ${webhook.id}`,
    );
    return rows;
  }).toEqual([{ inactive_reason: 'gone' }]);
  expect(receivers.received).toHaveLength(1);
});
