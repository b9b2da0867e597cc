import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { dataOf, itemsOf, TestApi } from '../../testing/api.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ engine: 'postgresql' });

test('a replay whose webhook is deleted while its cancellation waits is not found', async () => {
  const api = new TestApi(ctx);
  const account = await api.account();
  const caller = api.as((await account.key()).token);
  const { id } = await account.webhook();
  const since = ctx.clock.apiTime();
  const event = await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const begun = await caller.post(`/api/v1/webhooks/${id}/replays`, { since, status: 'all' });
  const { uuid } = dataOf<{ uuid: string }>(begun);
  await addDelivery(ctx, event, { webhookId: id, replayUuid: uuid });

  const { both } = await ctx.db.transaction(async (tx) => {
    await tx.select().from(replays).where(eq(replays.uuid, uuid)).for('update');
    const deleted = caller.delete(`/api/v1/webhooks/${id}`);
    await expect.poll(() => countLockWaits(ctx)).toBe(1);
    const cancelled = caller.post(`/api/v1/replays/${uuid}/cancel`);
    await expect.poll(() => countLockWaits(ctx)).toBe(2);
    return { both: Promise.all([deleted, cancelled]) };
  });
  const [deleted, cancelled] = await both;
  expect([deleted.status, cancelled.status]).toEqual([204, 404]);
  expect(await ctx.db.$count(deliveries, eq(deliveries.status, 'cancelled'))).toBe(0);
  const log = itemsOf(await caller.get('/api/v1/audit-log'));
  expect(log[0]).toMatchObject({ action: 'webhook.deleted' });
});
