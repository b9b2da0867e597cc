import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { failingFirst } from '../../../testing/databases/failing-transactions.ts';
import { useApi } from '../../../testing/use-api.ts';
import { warnOfDeactivation } from './deactivate-webhook.ts';

const { ctx, account } = useApi();

test('a webhook whose warning fails delays those of no other, and is warned of later', async () => {
  const ids = [(await account.webhook()).id, (await account.webhook()).id];
  const failingSince = new Date(ctx.clock.now().getTime() - 3 * dayMs);
  await ctx.db
    .update(lanes)
    .set({ failingSince, failureCount: 10 })
    .where(inArray(lanes.webhookId, ids));
  const warnings = async () =>
    await ctx.db.$count(auditEntries, eq(auditEntries.action, 'webhook.deactivation_warned'));

  ctx.expectErrors(/^the warning of a deactivation failed$/);
  await warnOfDeactivation({ ...ctx, db: failingFirst(ctx.db, 1) });
  expect(await warnings()).toBe(1);
  await warnOfDeactivation(ctx);
  expect(await warnings()).toBe(2);
});
