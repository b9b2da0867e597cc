import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { TestApi, itemsOf } from '../../testing/api.ts';
import { afterWaiting } from '../../testing/databases/after-waiting.ts';
import { explainStatements } from '../../testing/databases/explain-statements.ts';
import { addWebhook, publish } from '../../testing/delivery/delivery-worker.ts';
import { addAccountsToGrow, addPastOf, growDatabase } from '../../testing/growth/grow-database.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { useApi } from '../../testing/use-api.ts';
import { writeFollowCursor } from '../cursor.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { cancelPendingDeliveries } from './cancel-pending-deliveries.ts';
import { retryDelivery } from './retry-delivery.ts';

const { ctx, account, owner, caller } = useApi({ engine: 'postgresql', accountFor: 'test' });

test('cancelling waits for a completion in progress, which locks the same rows in another order', async () => {
  const webhook = await addWebhook(ctx, owner);
  await publish(ctx, owner, 3);
  const owned = { accountId: account.id, id: webhook.id };
  const options = { replayUuid: null, now: ctx.clock.now() };
  const cancelled = await afterWaiting(ctx, {
    // A completion begins like this, and then locks the lane's deliveries.
    lock: (completion) => lockLane(completion, webhook.id),
    call: () => ctx.db.transaction((tx) => cancelPendingDeliveries(tx, owned, options)),
    during: (completion) =>
      completion
        .update(deliveries)
        .set({ status: 'delivered', dueAt: null })
        .where(eq(deliveries.webhookId, webhook.id)),
  });
  expect(cancelled).toEqual({ count: 0, isMore: false });
});

test('a retry that waits for the lock of its webhook is due when it has the lock, later than every attempt before', async () => {
  const { id: webhookId } = await account.webhook();
  const { id } = await addDelivery(ctx, await addEvent(ctx, account.id), { webhookId });
  const retry = await afterWaiting(ctx, {
    lock: (tx) => tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('update'),
    call: () => retryDelivery(ctx, owner, { delivery: String(id) }),
  });
  expect(retry.next_attempt_at).toBe(ctx.clock.apiTime());
});

test('a page of the deliveries that a client follows costs no more than the first page of all', async () => {
  const webhook = await addWebhook(ctx, owner);
  await addPastOf(ctx, { accountId: account.id, count: 5000 });
  // All other webhooks have few deliveries, so that the planner expects few.
  await addAccountsToGrow(ctx);
  await growDatabase(ctx, { from: 0, to: 5000 });

  const { db, explained, close } = await explainStatements(ctx.database);
  const client = new TestApi({ ...ctx, db }).as(caller.token);
  const blocksOf = async (query: string) => {
    explained.length = 0;
    const path = `/api/v1/webhooks/${webhook.id}/deliveries?${query}`;
    expect(itemsOf(await client.get(path))).toHaveLength(50);
    return explained.reduce((sum, { blocks }) => sum + blocks, 0);
  };
  const first = await blocksOf('limit=50');
  expect(first).toBeGreaterThan(0);
  const follow = writeFollowCursor(`deliveries/${webhook.id}`, { from: '1:1:' });
  expect(await blocksOf(`follow=${follow}&limit=50`)).toBeLessThanOrEqual(first * 1.3);
  await close();
}, 60_000);
