import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { lockLane } from './statements/lanes.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, account } = useApi({ engine: 'postgresql' });

test('a lane that is locked for long keeps no other lane from being woken, and is woken after that', async () => {
  const { id: locked } = await account.webhook();
  const { id: other } = await account.webhook();
  const { id: later } = await account.webhook();
  await ctx.db.transaction(async (tx) => {
    await lockLane(tx, locked);
    ctx.laneNotifier.wake([locked, other]);
    await expect.poll(() => isDue(other)).toBe(true);
    ctx.laneNotifier.wake([locked, later]);
    await expect.poll(() => isDue(later)).toBe(true);
    expect(await isDue(locked)).toBe(false);
  });
  await ctx.laneNotifier.idle();
  expect(await isDue(locked)).toBe(true);
});

async function isDue(webhookId: number): Promise<boolean> {
  const [lane] = await ctx.db.select().from(lanes).where(eq(lanes.webhookId, webhookId));
  return lane?.wakeAt?.getTime() === ctx.clock.now().getTime();
}
