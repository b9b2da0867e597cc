import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { TestApi } from '../../testing/api.ts';
import { addWebhook, eventually, publish } from '../../testing/delivery/delivery-worker.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useContext } from '../../testing/use-api.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { cancelPendingDeliveries } from './cancel-pending-deliveries.ts';

const ctx = useContext({ engine: 'postgresql' });

test('cancelling waits for a settlement in progress, which locks the same rows in another order', async () => {
  const actor = await (await new TestApi(ctx).account()).member('owner');
  const webhook = await addWebhook(ctx, actor);
  await publish(ctx, actor, 3);
  const owned = { accountId: actor.accountId, id: webhook.id };
  const options = { replayUuid: null, now: ctx.clock.now() };

  const cancelled = await ctx.db.transaction(async (settlement) => {
    // A settlement begins like this, and then locks the lane's deliveries.
    await lockLane(settlement, webhook.id);
    const cancelling = ctx.db.transaction((tx) => cancelPendingDeliveries(tx, owned, options));
    await eventually(() => countLockWaits(ctx)).toBe(1);
    await settlement
      .update(deliveries)
      .set({ status: 'delivered', dueAt: null })
      .where(eq(deliveries.webhookId, webhook.id));
    return { cancelling };
  });
  expect(await cancelled.cancelling).toEqual({ count: 0, isMore: false });
}, 60_000);
