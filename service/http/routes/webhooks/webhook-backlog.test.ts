import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { advanceReplays } from '../../../domain/replays/advance-replays.ts';
import { updateWithBacklog } from '../../../domain/replays/update-with-backlog.ts';
import { dataOf, detailsOf, itemsOf, refusedFields } from '../../../testing/api.ts';
import { beforeTransactions } from '../../../testing/databases/failing-transactions.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, owner, caller } = useApi({ accountFor: 'test' });
const webhook = useWebhook(
  { account, caller },
  { events: ['message.created', 'conversation.closed'] },
);

const pause = { is_active: false };
const resume = (backlog?: 'deliver' | 'skip') => ({ is_active: true, backlog });
const cancelled = { status: 'cancelled', dueAt: null };
const pending = { status: 'pending' };

test('an inactive webhook is sent no replay, but a dry run says how large it would be', async () => {
  await webhook.patch(pause);
  const { inactive_since: since } = await webhook.read();
  ctx.clock.advance(1000);
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const body = { since, status: 'failed' };
  expect(detailsOf(await webhook.replay(body))).toEqual({
    webhook: ['This webhook is inactive. Resume it first.'],
  });
  const dry = await webhook.replay({ ...body, dry_run: true });
  expect(dataOf(dry)).toMatchObject({ count: 1, missed: 1 });
});

describe('a webhook that is resumed with backlog deliver', () => {
  test('is sent what it missed, and what waited goes on', async () => {
    const frozen = await webhook.deliver({ tries: 2 });
    ctx.clock.advance(1000);
    await webhook.patch(pause);
    ctx.clock.advance(1000);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    expect((await webhook.patch(resume('deliver'))).status).toBe(200);
    const [begun] = await webhook.replays();
    expect(begun).toMatchObject({ total: 1, statusFilter: 'failed' });
    // Events that others were writing at that moment saw the webhook inactive, and are committed by
    // now.
    const late = await addEvent(ctx, account.id, { at: new Date(ctx.clock.now().getTime() + 50) });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(await webhook.deliveryOf(missed)).toBeUndefined();
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    for (const event of [missed, late]) {
      const replayed = { ...pending, replayUuid: begun?.uuid };
      expect(await webhook.deliveryOf(event)).toMatchObject(replayed);
    }
    expect(await webhook.stored(frozen)).toEqual(frozen);
    const log = itemsOf(await caller.get('/api/v1/audit-log'));
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual([
      'replay.created',
      'webhook.updated',
    ]);
  });

  test('is sent what was given up since it began to fail, such as the event that got the 410', async () => {
    const longAgo = await webhook.deliver({ status: 'failed' });
    ctx.clock.advance(1000);
    const skipped = await webhook.deliver({ status: 'cancelled' });
    const gone = await webhook.deliver();
    ctx.clock.advance(1000);
    const finishedAt = ctx.clock.now();
    await ctx.db
      .update(deliveries)
      .set({ status: 'failed', dueAt: null, finishedAt })
      .where(eq(deliveries.id, gone.id));
    const failing = { failingSince: finishedAt, failureCount: 1 };
    await ctx.db.update(lanes).set(failing).where(eq(lanes.webhookId, webhook.id));
    await webhook.patch(pause);
    ctx.clock.advance(1000);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(6000);
    const backlog = await caller.get(`/api/v1/webhooks/${webhook.id}/backlog`);
    const since = itemsOf(await webhook.listDeliveries('?status=failed'))[0]?.created_at;
    expect(dataOf(backlog)).toEqual({ count: 2, failed: 1, since });

    await webhook.patch(resume('deliver'));
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await webhook.replays()).toMatchObject([{ since: gone.createdAt, total: 2 }]);
    expect(await webhook.stored(gone)).toMatchObject(pending);
    expect(await webhook.deliveryOf(missed)).toMatchObject(pending);
    expect(await webhook.stored(longAgo)).toEqual(longAgo);
    expect(await webhook.stored(skipped)).toEqual(skipped);
  });

  test('is sent nothing that was skipped before', async () => {
    await webhook.patch(pause);
    const skipped = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch(resume('skip'));
    ctx.clock.advance(1000);
    await webhook.patch(pause);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch(resume('deliver'));
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(missed)).toMatchObject(pending);
    expect(await webhook.deliveryOf(skipped)).toBeUndefined();
  });

  test('for the first time is sent nothing from before it was created', async () => {
    const before = await addEvent(ctx, account.id);
    ctx.clock.advance(50);
    const created = await account.webhook({ events: ['message.created'], isActive: false });
    const added = new TestWebhook(created, { account, caller });
    const after = await addEvent(ctx, account.id);
    await added.patch(resume('deliver'));
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await added.deliveryOf(after)).toMatchObject(pending);
    expect(await added.deliveryOf(before)).toBeUndefined();
  });

  test('is sent what happened while the resumption waited', async () => {
    await webhook.patch(pause);
    ctx.clock.advance(1000);
    const release = Promise.withResolvers<void>();
    const busy = [1, 2].map(async () => {
      await ctx.heavyReads.run(account.id, async () => await release.promise);
    });
    const count = vi.spyOn(ctx.heavyReads, 'run');
    const resumed = webhook.patch(resume('deliver'));
    await vi.waitUntil(() => count.mock.calls.length > 0);
    count.mockRestore();
    ctx.clock.advance(6000);
    const missed = await addEvent(ctx, account.id);
    release.resolve();
    await Promise.all(busy);
    expect((await resumed).status).toBe(200);
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(missed)).toMatchObject(pending);
  });
});

describe('a webhook that is resumed with backlog skip', () => {
  test('is sent neither what it missed nor what waited', async () => {
    const waiting = await webhook.deliver();
    const elsewhere = { webhookId: (await account.webhook()).id };
    const other = await addDelivery(ctx, await addEvent(ctx, account.id), elsewhere);
    ctx.clock.advance(1000);
    const uuid = await webhook.beginReplay('all');
    await webhook.patch(pause);
    await webhook.patch(resume('skip'));
    expect(await webhook.stored(waiting)).toMatchObject(cancelled);
    expect(await webhook.readReplay(uuid)).toMatchObject({ state: 'cancelled' });
    const rows = await ctx.db.query.deliveries.findMany();
    expect(rows.find(({ id }) => id === other.id)).toEqual(other);
  });

  test('is not sent what was queued while its deliveries were being cancelled', async () => {
    const event = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch(pause);
    // After the cancellation, before the resumption: the step of a replay that had
    // begun before the pause is committed.
    const queue = vi.fn(async () => await addDelivery(ctx, event, { webhookId: webhook.id }));
    const db = beforeTransactions(ctx.db, async (number) => {
      if (number === 2) await queue();
    });
    const change = { webhook: String(webhook.id), ...resume('skip') };
    await updateWithBacklog({ ...ctx, db }, owner, change);
    expect(queue).toHaveBeenCalledOnce();
    expect(await webhook.read()).toMatchObject({ is_active: true });
    expect(await webhook.deliveryOf(event)).toMatchObject(cancelled);
  });

  test('keeps what arrived before it was queued again as delivered', async () => {
    const { event, arrivedAt } = await webhook.deliverAtSecondAttempt();
    ctx.clock.advance(1000);
    await webhook.retry((await webhook.deliveryOf(event))?.id);
    await webhook.patch(pause);
    await webhook.patch(resume('skip'));
    const restored = { status: 'delivered', dueAt: null, finishedAt: arrivedAt };
    expect(await webhook.deliveryOf(event)).toMatchObject(restored);
  });

  test('keeps its pending deliveries if that is refused', async () => {
    const frozen = await webhook.deliver();
    await webhook.patch(pause);
    const refused = await webhook.patch({ ...resume('skip'), url: 'https://10.0.0.1/' });
    expect(refusedFields(refused)).toEqual(['url']);
    expect(await webhook.stored(frozen)).toEqual(frozen);
    expect(await webhook.read()).toMatchObject({ is_active: false });
  });
});

test('a webhook that is resumed without `backlog` is sent what waited, and nothing it missed', async () => {
  const frozen = await webhook.deliver();
  await webhook.patch(pause);
  await addEvent(ctx, account.id);
  await webhook.patch(resume());
  expect(await webhook.deliveries()).toEqual([frozen]);
  expect(await webhook.replays()).toEqual([]);
});

test.each([
  ['without is_active', { backlog: 'skip' }],
  ['with is_active false', { is_active: false, backlog: 'deliver' }],
  ['of an active webhook', { is_active: true, backlog: 'deliver' }],
  ['of another word', { is_active: true, backlog: 'drop' }],
])('a backlog %s is refused', async (_what, body) => {
  expect(refusedFields(await webhook.patch(body))).toEqual(['backlog']);
});
