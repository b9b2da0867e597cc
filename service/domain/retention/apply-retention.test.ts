import { eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { History } from '../../testing/records/history.ts';
import { addAccount } from '../../testing/records/people.ts';
import { useContext } from '../../testing/use-api.ts';
import { applyAuditRetention, applyRetention } from './apply-retention.ts';

const ctx = useContext();
let history: History;
beforeEach(async () => {
  // All rows of the previous test are past the retention.
  ctx.clock.advance(2000 * dayMs);
  await ctx.db.delete(webhooks);
  await apply();
  await applyToAudit();
  history = new History(ctx, await addAccount(ctx));
});

const proceed = () => Promise.resolve(true);
const apply = (rest = proceed) => applyRetention(ctx, rest);
const applyToAudit = () => applyAuditRetention(ctx, proceed);

async function counted() {
  const { query } = ctx.db;
  const [events, sent, attempts, replays] = await Promise.all([
    query.events.findMany(),
    query.deliveries.findMany(),
    query.attempts.findMany(),
    query.replays.findMany(),
  ]);
  return {
    events: events.length,
    deliveries: sent.length,
    attempts: attempts.length,
    replays: replays.length,
  };
}

test('events older than 30 days are removed with their deliveries and attempts, younger ones stay', async () => {
  const [first, second] = [await history.addWebhook(), await history.addWebhook()];
  const old = await history.addEvents({ daysOld: 30.01, count: 2 });
  const young = await history.addEvents({ daysOld: 29.99, count: 3 });
  for (const webhookId of [first, second]) {
    await history.addDeliveries({ webhookId, eventIds: old, attempts: 3 });
    await history.addDeliveries({ webhookId, eventIds: young, status: 'failed', attempts: 2 });
  }
  expect(await counted()).toMatchObject({ events: 5, deliveries: 10, attempts: 24 });

  expect(await apply()).toBe(2 + 4 + 12);
  expect(await counted()).toMatchObject({ events: 3, deliveries: 6, attempts: 12 });
  const kept = (await ctx.db.query.events.findMany()).map(({ id }) => id);
  expect(new Set(kept)).toEqual(new Set(young));
});

test('the retention is configurable', async () => {
  await history.addEvents({ daysOld: 8 });
  await apply();
  expect(await counted()).toMatchObject({ events: 1 });
  const brief = { ...ctx, config: { ...ctx.config, retentionDays: 7 } };
  expect(await applyRetention(brief, proceed)).toBe(1);
  expect(await counted()).toMatchObject({ events: 0 });
});

describe('pending work stays, however old:', () => {
  test('an event with one pending delivery, with all its history', async () => {
    const [first, second] = [await history.addWebhook(), await history.addWebhook()];
    const [kept = 0, gone = 0] = await history.addEvents({ daysOld: 100, count: 2 });
    await history.addDeliveries({ webhookId: first, eventIds: [kept], status: 'pending' });
    await history.addDeliveries({ webhookId: second, eventIds: [kept, gone] });
    await apply();
    expect(await counted()).toMatchObject({ events: 1, deliveries: 2, attempts: 2 });

    await ctx.db
      .update(deliveries)
      .set({ status: 'delivered' })
      .where(eq(deliveries.eventId, kept));
    await apply();
    expect(await counted()).toMatchObject({ events: 0, deliveries: 0, attempts: 0 });
  });

  test('an event that becomes pending during the removal', async () => {
    const webhookId = await history.addWebhook();
    const [kept = 0, gone = 0] = await history.addEvents({ daysOld: 100, count: 2 });
    await history.addDeliveries({ webhookId, eventIds: [kept, gone] });
    let batches = 0;
    await apply(async () => {
      batches += 1;
      if (batches === 1) {
        await ctx.db
          .update(deliveries)
          .set({ status: 'pending' })
          .where(inArray(deliveries.eventId, [kept]));
      }
      return true;
    });
    expect((await ctx.db.query.events.findMany()).map(({ id }) => id)).toEqual([kept]);
    expect((await ctx.db.query.deliveries.findMany()).map(({ eventId }) => eventId)).toEqual([
      kept,
    ]);
  });

  test('an event in the window of a running replay', async () => {
    const webhookId = await history.addWebhook();
    await history.addEvents({ daysOld: 50 });
    await history.addEvents({ daysOld: 45 });
    const window = { since: history.daysAgo(46), until: history.daysAgo(40) };
    await history.addReplay({ webhookId, state: 'running', ...window });
    await apply();
    expect(await counted()).toMatchObject({ events: 1, replays: 1 });
  });
});

test('a deleted webhook’s deliveries and attempts are removed immediately, pending or not, and no others', async () => {
  const [kept, gone] = [await history.addWebhook(), await history.addWebhook()];
  const eventIds = await history.addEvents({ daysOld: 1, count: 3 });
  await history.addDeliveries({ webhookId: kept, eventIds });
  await history.addDeliveries({ webhookId: gone, eventIds, status: 'pending', attempts: 2 });
  await ctx.db.delete(webhooks).where(eq(webhooks.id, gone));
  expect(await apply()).toBe(3 + 6);
  expect(await counted()).toMatchObject({ events: 3, deliveries: 3, attempts: 3 });
});

test('replays are removed 30 days after their end, or with their webhook', async () => {
  const [kept, gone] = [await history.addWebhook(), await history.addWebhook()];
  const window = { since: history.daysAgo(40), until: history.daysAgo(35) };
  const done = { state: 'done' as const, ...window };
  await history.addReplay({ webhookId: kept, ...done, finishedAt: history.daysAgo(31) });
  await history.addReplay({ webhookId: kept, ...done, finishedAt: history.daysAgo(29) });
  await history.addReplay({ webhookId: gone, state: 'running', ...window });
  await ctx.db.delete(webhooks).where(eq(webhooks.id, gone));
  await apply();
  const left = await ctx.db.query.replays.findMany();
  expect(left.map(({ finishedAt }) => finishedAt)).toEqual([history.daysAgo(29)]);
});

describe('the work is done in small steps', () => {
  async function addMuch(): Promise<void> {
    const webhookId = await history.addWebhook();
    const eventIds = await history.addEvents({ daysOld: 31, count: 700 });
    await history.addDeliveries({ webhookId, eventIds, attempts: 3 });
  }

  test('of at most 500 rows a transaction, with a rest after each', async () => {
    await addMuch();
    const total = async () => Object.values(await counted()).reduce((sum, count) => sum + count);
    const left = [await total()];
    await apply(async () => {
      left.push(await total());
      return true;
    });
    expect(left.at(-1)).toBe(0);
    const steps = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
    expect(Math.max(...steps)).toBe(500);
    expect(Math.min(...steps)).toBeGreaterThan(0);
  });

  test('of at most 500 events that stay, which are skipped', async () => {
    const eventIds = await history.addEvents({ daysOld: 31, count: 1100 });
    const webhookId = await history.addWebhook();
    await history.addDeliveries({ webhookId, eventIds, status: 'pending', attempts: 0 });
    await history.addEvents({ daysOld: 31 });
    const left: number[] = [];
    await apply(async () => left.push((await counted()).events) > 0);
    expect(left).toEqual([1101, 1101, 1100]);
  });

  test('that can stop after each one, and continue later', async () => {
    await addMuch();
    let batches = 0;
    expect(await apply(() => Promise.resolve((batches += 1) < 2))).toBe(1000);
    expect(await counted()).toMatchObject({ events: 700, deliveries: 700, attempts: 1100 });
    await apply();
    expect(await counted()).toMatchObject({ events: 0, deliveries: 0, attempts: 0 });
  });
});

test('audit entries are removed after 400 days, those of each account separately', async () => {
  const other = new History(ctx, await addAccount(ctx));
  await history.addAuditEntries({ daysOld: 401, count: 700 });
  await history.addAuditEntries({ daysOld: 399, count: 2 });
  await other.addAuditEntries({ daysOld: 500, count: 1 });
  expect(await applyToAudit()).toBe(701);
  expect(await ctx.db.query.auditEntries.findMany()).toHaveLength(2);
  expect(await applyToAudit()).toBe(0);
});

test('audit entries are removed earlier if so configured', async () => {
  await history.addAuditEntries({ daysOld: 8, count: 1 });
  expect(await applyToAudit()).toBe(0);
  const brief = { ...ctx, config: { ...ctx.config, auditRetentionDays: 7 } };
  expect(await applyAuditRetention(brief, proceed)).toBe(1);
});

test('audit entries cannot be removed in any other way, not even right after', async () => {
  await history.addAuditEntries({ daysOld: 401, count: 1 });
  await history.addAuditEntries({ daysOld: 1, count: 1 });
  await applyToAudit();
  await expect(ctx.db.delete(auditEntries)).rejects.toThrow();
  expect(await ctx.db.query.auditEntries.findMany()).toHaveLength(1);
});
