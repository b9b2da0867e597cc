import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useApi } from '../../testing/use-api.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { advanceReplays } from './advance-replays.ts';

const { ctx, api } = useApi({ engine: 'postgresql' });

test('deliveries of a replay that waits for its lane are due when it has the lane, later than every attempt before', async () => {
  const account = await api.account();
  const { id: webhookId } = await account.webhook();
  const since = ctx.clock.apiTime();
  await addEvent(ctx, account.id);
  const failed = await addEvent(ctx, account.id);
  await addDelivery(ctx, failed, { webhookId, status: 'failed' });
  ctx.clock.advance(1000);
  const body = { since, status: 'failed' };
  const { token } = await account.key();
  const path = `/api/v1/webhooks/${webhookId}/replays`;
  expect((await api.as(token).post(path, body)).status).toBe(201);

  const { advancing } = await ctx.db.transaction(async (tx) => {
    await lockLane(tx, webhookId);
    const started = advanceReplays(ctx);
    await expect.poll(() => countLockWaits(ctx)).toBeGreaterThan(0);
    ctx.clock.advance(1000);
    return { advancing: started };
  });
  await advancing;
  const now = ctx.clock.now();
  const queued = await ctx.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.webhookId, webhookId))
    .orderBy(asc(deliveries.eventId));
  expect(queued).toMatchObject([
    { status: 'pending', dueAt: now, createdAt: now },
    { status: 'pending', dueAt: now },
  ]);
});
