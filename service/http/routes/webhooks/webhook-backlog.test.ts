import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { advanceReplays } from '../../../domain/replays/advance-replays.ts';
import { updateWebhook } from '../../../domain/webhooks/update-webhook.ts';
import { dataOf, detailsOf, itemsOf } from '../../../testing/api.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, caller } = useApi({ accountFor: 'test' });
const webhook = useWebhook(
  { account, caller },
  { events: ['message.created', 'conversation.closed'] },
);

describe('an inactive webhook', () => {
  test('is sent no replay, but a dry run says how large it would be', async () => {
    await webhook.patch({ is_active: false });
    const { inactive_since: since } = await webhook.read();
    ctx.clock.advance(1000);
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const refused = await webhook.replay({ since, status: 'failed' });
    expect(refused.status).toBe(422);
    expect(detailsOf(refused)).toEqual({
      webhook: ['This webhook is inactive. Resume it first.'],
    });
    const dry = await webhook.replay({ since, status: 'failed', dry_run: true });
    expect(dry.body).toMatchObject({ success: true, data: { count: 1, missed: 1 } });
  });

  test('that is resumed with backlog deliver is sent what it missed, and what waited goes on', async () => {
    const before = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, before, { webhookId: webhook.id, tries: 2 });
    ctx.clock.advance(1000);
    await webhook.patch({ is_active: false });
    ctx.clock.advance(1000);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    expect((await webhook.patch({ is_active: true, backlog: 'deliver' })).status).toBe(200);

    const [begun] = (await ctx.db.query.replays.findMany()).filter(
      ({ webhookId }) => webhookId === webhook.id,
    );
    expect(begun).toMatchObject({ total: 1, statusFilter: 'failed' });
    // Events that others were writing at that moment saw the webhook inactive, and are committed by
    // now.
    const late = await addEvent(ctx, account.id, { at: new Date(ctx.clock.now().getTime() + 50) });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(await webhook.deliveryOf(missed)).toBeUndefined();
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(missed)).toMatchObject({
      status: 'pending',
      replayUuid: begun?.uuid,
    });
    expect(await webhook.deliveryOf(late)).toMatchObject({
      status: 'pending',
      replayUuid: begun?.uuid,
    });
    expect(await webhook.deliveryOf(before)).toEqual(frozen);
    const log = itemsOf(await caller.get('/api/v1/audit-log'));
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual([
      'replay.created',
      'webhook.updated',
    ]);
  });

  test('that is resumed with backlog deliver is sent what was given up since it began to fail, such as the event that got the 410', async () => {
    const longAgo = await webhook.deliver({ status: 'failed' });
    ctx.clock.advance(1000);
    const skipped = await webhook.deliver({ status: 'cancelled' });
    const gone = await webhook.deliver({ status: 'pending' });
    ctx.clock.advance(1000);
    const finishedAt = ctx.clock.now();
    const isGone = eq(deliveries.id, gone.id);
    await ctx.db
      .update(deliveries)
      .set({ status: 'failed', dueAt: null, finishedAt })
      .where(isGone);
    const failing = { failingSince: finishedAt, failureCount: 1 };
    await ctx.db.update(lanes).set(failing).where(eq(lanes.webhookId, webhook.id));
    await webhook.patch({ is_active: false });
    ctx.clock.advance(1000);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(6000);
    const backlog = await caller.get(`/api/v1/webhooks/${webhook.id}/backlog`);
    const since = itemsOf(await webhook.listDeliveries('?status=failed'))[0]?.created_at;
    expect(dataOf(backlog)).toEqual({ count: 2, failed: 1, since });

    await webhook.patch({ is_active: true, backlog: 'deliver' });
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await webhook.replays()).toMatchObject([{ since: gone.createdAt, total: 2 }]);
    expect(await webhook.stored(gone)).toMatchObject({ status: 'pending' });
    expect(await webhook.deliveryOf(missed)).toMatchObject({ status: 'pending' });
    expect(await webhook.stored(longAgo)).toEqual(longAgo);
    expect(await webhook.stored(skipped)).toEqual(skipped);
  });

  test('that is paused again right after its backlog was skipped is never sent what was skipped', async () => {
    await webhook.patch({ is_active: false });
    const skipped = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch({ is_active: true, backlog: 'skip' });
    ctx.clock.advance(1000);
    await webhook.patch({ is_active: false });
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch({ is_active: true, backlog: 'deliver' });
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(missed)).toMatchObject({ status: 'pending' });
    expect(await webhook.deliveryOf(skipped)).toBeUndefined();
  });

  test('that is activated for the first time is sent nothing from before it was created', async () => {
    const before = await addEvent(ctx, account.id);
    ctx.clock.advance(50);
    const created = await account.webhook({ events: ['message.created'], isActive: false });
    const added = new TestWebhook(created, { account, caller });
    const after = await addEvent(ctx, account.id);
    await added.patch({ is_active: true, backlog: 'deliver' });
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await added.deliveryOf(after)).toMatchObject({ status: 'pending' });
    expect(await added.deliveryOf(before)).toBeUndefined();
  });

  test('that is resumed with backlog deliver is sent what happened while the resumption waited', async () => {
    await webhook.patch({ is_active: false });
    ctx.clock.advance(1000);
    const release = Promise.withResolvers<void>();
    const busy = [1, 2].map(async () => {
      await ctx.heavyReads.run(account.id, async () => await release.promise);
    });
    const count = vi.spyOn(ctx.heavyReads, 'run');
    const resumed = webhook.patch({ is_active: true, backlog: 'deliver' });
    await vi.waitUntil(() => count.mock.calls.length > 0);
    count.mockRestore();
    ctx.clock.advance(6000);
    const missed = await addEvent(ctx, account.id);
    release.resolve();
    await Promise.all(busy);
    expect((await resumed).status).toBe(200);
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(missed)).toMatchObject({ status: 'pending' });
  });

  test('that is resumed with backlog skip is sent neither what it missed nor what waited', async () => {
    const waiting = await addEvent(ctx, account.id);
    await addDelivery(ctx, waiting, { webhookId: webhook.id });
    const elsewhere = { webhookId: (await account.webhook()).id };
    const other = await addDelivery(ctx, await addEvent(ctx, account.id), elsewhere);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await webhook.patch({ is_active: false });
    await webhook.patch({ is_active: true, backlog: 'skip' });
    expect(await webhook.deliveryOf(waiting)).toMatchObject({ status: 'cancelled', dueAt: null });
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ state: 'cancelled' });
    const rows = await ctx.db.query.deliveries.findMany();
    expect(rows.find(({ id }) => id === other.id)).toEqual(other);
  });

  test('that is resumed with backlog skip is not sent what was queued while its deliveries were being cancelled', async () => {
    const event = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await webhook.patch({ is_active: false });
    let begun = 0;
    const transaction: typeof ctx.db.transaction = async (...given) => {
      begun += 1;
      // After the check and the cancellation, before the resumption: the step of a replay that had
      // begun before the pause is committed.
      if (begun === 3) await addDelivery(ctx, event, { webhookId: webhook.id });
      return await ctx.db.transaction(...given);
    };
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    const change = { webhook: String(webhook.id), is_active: true, backlog: 'skip' } as const;
    await updateWebhook({ ...ctx, db }, await account.member('owner'), change);
    expect(begun).toBe(3);
    expect(await webhook.read()).toMatchObject({ is_active: true });
    expect(await webhook.deliveryOf(event)).toMatchObject({ status: 'cancelled', dueAt: null });
  });

  test('that is resumed with backlog skip keeps what arrived before it was queued again as delivered', async () => {
    const { event, arrivedAt } = await webhook.deliverAtSecondAttempt();
    ctx.clock.advance(1000);
    const { id } = (await webhook.deliveryOf(event)) ?? {};
    await caller.post(`/api/v1/deliveries/${String(id)}/retry`);
    await webhook.patch({ is_active: false });
    await webhook.patch({ is_active: true, backlog: 'skip' });
    const restored = { status: 'delivered', dueAt: null, finishedAt: arrivedAt };
    expect(await webhook.deliveryOf(event)).toMatchObject(restored);
  });

  test('keeps its pending deliveries if resuming with backlog skip is refused', async () => {
    const waiting = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, waiting, { webhookId: webhook.id });
    await webhook.patch({ is_active: false });
    const refused = await webhook.patch({
      is_active: true,
      backlog: 'skip',
      url: 'https://10.0.0.1/',
    });
    expect(refused.status).toBe(422);
    expect(Object.keys(detailsOf(refused))).toEqual(['url']);
    expect(await webhook.deliveryOf(waiting)).toEqual(frozen);
    expect(await webhook.read()).toMatchObject({ is_active: false });
  });

  test('that is resumed without `backlog` is sent what waited, and nothing it missed', async () => {
    const waiting = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, waiting, { webhookId: webhook.id });
    await webhook.patch({ is_active: false });
    await addEvent(ctx, account.id);
    await webhook.patch({ is_active: true });
    expect(await webhook.deliveryOf(waiting)).toEqual(frozen);
    const replays = await ctx.db.query.replays.findMany();
    expect(replays.filter(({ webhookId }) => webhookId === webhook.id)).toEqual([]);
  });

  test.each([
    ['without is_active', { backlog: 'skip' }],
    ['with is_active false', { is_active: false, backlog: 'deliver' }],
    ['of an active webhook', { is_active: true, backlog: 'deliver' }],
    ['of another word', { is_active: true, backlog: 'drop' }],
  ])('a backlog %s is refused', async (_what, body) => {
    const response = await webhook.patch(body);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual(['backlog']);
  });
});
