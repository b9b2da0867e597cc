import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { explainStatements } from '../../testing/databases/explain-statements.ts';
import { History } from '../../testing/records/history.ts';
import { addAccount } from '../../testing/records/people.ts';
import { useContext } from '../../testing/use-api.ts';
import { applyRetention } from './apply-retention.ts';

const ctx = useContext({ engine: 'postgresql' });
let history: History;
let webhookId: number;
beforeEach(async () => {
  history = new History(ctx, await addAccount(ctx));
  webhookId = await history.addWebhook();
});

const proceed = () => Promise.resolve(true);
const left = async () => (await ctx.db.query.deliveries.findMany()).length;

test('only one process removes at a time; the other returns immediately', async () => {
  const eventIds = await history.addEvents({ daysOld: 31, count: 3 });
  await history.addDeliveries({ webhookId, eventIds });
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('retention', 0))`);
    expect(await applyRetention(ctx, proceed)).toBe(0);
    expect(await left()).toBe(3);
  });
  expect(await applyRetention(ctx, proceed)).toBe(9);
});

test('processes that begin together remove everything between them, each row once', async () => {
  const eventIds = await history.addEvents({ daysOld: 31, count: 1200 });
  await history.addDeliveries({ webhookId, eventIds });
  const removed = await Promise.all([1, 2, 3, 4].map(() => applyRetention(ctx, proceed)));
  removed.push(await applyRetention(ctx, proceed));
  expect(removed.reduce((sum, count) => sum + count)).toBe(3600);
  expect(await left()).toBe(0);
});

test('a locked delivery is skipped', async () => {
  const [held = 0, ...others] = await history.addEvents({ daysOld: 31, count: 4 });
  await history.addDeliveries({ webhookId, eventIds: [held, ...others], attempts: 0 });
  await ctx.db.transaction(async (tx) => {
    await tx.select().from(deliveries).where(eq(deliveries.eventId, held)).for('update');
    await applyRetention(ctx, proceed);
    expect(await left()).toBe(1);
  });
  await applyRetention(ctx, proceed);
  expect(await left()).toBe(0);
});

test('no statement looks at more than a page of the events that stay, however many do', async () => {
  await ctx.db.execute(sql`
    with stays as (
      insert into events (account_id, uuid, type, payload, created_at)
      select account_id, gen_random_uuid(), 'message.created', '{}',
        ${history.daysAgo(40).toISOString()}::timestamptz + number * interval '1 second'
      from webhooks cross join generate_series(1, 20000) as number
      where webhooks.id = ${webhookId}::int
      returning account_id, id, created_at
    )
    insert into deliveries (account_id, webhook_id, event_id, event_type, status, due_at, created_at)
    select account_id, ${webhookId}::int, id, 'message.created', 'pending', created_at, created_at
    from stays`);
  await ctx.maintenanceDb.execute(sql`vacuum analyze events, deliveries, webhooks`);
  const { db, explained, close } = await explainStatements(ctx.database);
  expect(await applyRetention({ ...ctx, db }, proceed)).toBe(0);
  await close();
  expect(explained).not.toEqual([]);
  for (const { statement, blocks } of explained) expect(blocks, statement).toBeLessThan(10_000);
});
