import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { TestApi } from '../../testing/api.ts';
import type { TestAccount } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';
import { lockLane } from './statements/lock-lane.ts';

let ctx: TestContext;
let account: TestAccount;
beforeAll(async () => {
  ctx = await createTestContext({ engine: 'postgresql' });
  account = await new TestApi(ctx).account();
});
afterAll(() => ctx.dispose());

test('a lane that is locked for long keeps no other lane from being touched, and is touched after that', async () => {
  const { id: locked } = await account.webhook();
  const { id: other } = await account.webhook();
  const { id: later } = await account.webhook();
  await ctx.db.transaction(async (tx) => {
    await lockLane(tx, locked);
    ctx.laneNotifier.touch([locked, other]);
    await expect.poll(() => isDue(other)).toBe(true);
    ctx.laneNotifier.touch([locked, later]);
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
