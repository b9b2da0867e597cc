import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { formatApiTime } from '#lib/time.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { TestApi } from '../../testing/api.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useContext } from '../../testing/use-api.ts';
import { retryDelivery } from './retry-delivery.ts';

const ctx = useContext({ engine: 'postgresql' });

test('a retry that waits for the lock of its webhook is due when it has the lock, later than every attempt before', async () => {
  const account = await new TestApi(ctx).account();
  const { id: webhookId } = await account.webhook();
  const event = await addEvent(ctx, account.id);
  const { id } = await addDelivery(ctx, event, { webhookId });
  const owner = await account.member('owner');
  const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = ctx.db.transaction(async (tx) => {
    await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('update');
    locked.resolve();
    await unlocked.promise;
  });
  await locked.promise;

  const retry = retryDelivery(ctx, owner, { delivery: String(id) });
  await expect.poll(() => countLockWaits(ctx)).toBeGreaterThan(0);
  ctx.clock.advance(1000);
  unlocked.resolve();
  await locking;
  expect((await retry).next_attempt_at).toBe(formatApiTime(ctx.clock.now()));
});
