import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { advanceReplays } from '../../../domain/replays/advance-replays.ts';
import { startReplays } from '../../../domain/replays/start-replays.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest, EventInTest } from '../../../testing/records/deliveries.ts';

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let token: string;
let webhook: { id: number; uuid: string };

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
});
beforeEach(async () => {
  account = await api.account();
  token = (await account.key()).token;
  webhook = await account.webhook({ events: ['message.created', 'conversation.closed'] });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => ctx.dispose());

describe('a replay', () => {
  test('is shown with its progress, at its creation and later', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const response = await replay({ since: iso(-1000), status: 'failed' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        uuid: expect.any(String),
        webhook_id: webhook.id,
        since: iso(-1000),
        until: iso(0),
        status_filter: 'failed',
        state: 'running',
        total: 1,
        done: 0,
        created_at: iso(0),
      },
    });
    const { uuid } = dataOf(response);
    expect((await get(uuid)).body).toEqual(response.body);
    await advanceReplays(ctx);
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'done', done: 1 });
  });

  test('of what failed queues failed, cancelled and missing ones, and no others', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    expect(await countOf('failed')).toBe(3);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'failed' }));
    ctx.clock.advance(1000);
    await advanceReplays(ctx);
    expect(dataOf(await get(uuid))).toMatchObject({ total: 3, done: 3, state: 'done' });

    const queued = { status: 'pending', tries: 0, dueAt: ctx.clock.now(), replayUuid: uuid };
    expect(await deliveryOf(made.failed)).toMatchObject({ ...queued, attemptCount: 8 });
    expect(await deliveryOf(made.cancelled)).toMatchObject({ ...queued, finishedAt: null });
    expect(await deliveryOf(made.missing)).toMatchObject({ ...queued, attemptCount: 0 });
    expect(await deliveryOf(made.delivered)).toMatchObject({ status: 'delivered' });
    expect(await deliveryOf(made.pending)).toMatchObject({ tries: 2, replayUuid: null });
    expect(await deliveryOf(made.unsubscribed)).toBeUndefined();
  });

  test('of all queues what was delivered as well, and leaves what is pending alone', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    expect(await countOf('all')).toBe(4);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await advanceReplays(ctx);
    expect(dataOf(await get(uuid))).toMatchObject({ total: 4, done: 4 });
    expect(await deliveryOf(made.delivered)).toMatchObject({ status: 'pending', replayUuid: uuid });
    expect(await deliveryOf(made.pending)).toMatchObject({ tries: 2, replayUuid: null });
  });

  test('begins with its first moment and ends before its last', async () => {
    const happened: EventInTest[] = [];
    for (let made = 0; made < 4; made += 1) {
      happened.push(await addEvent(ctx, account.id));
      ctx.clock.advance(1000);
    }
    const body = { since: iso(-3000), until: iso(-1000), status: 'all' };
    expect(dataOf(await replay({ ...body, dry_run: true }))).toEqual({ count: 2 });
    await replay(body);
    await advanceReplays(ctx);
    const found = await Promise.all(happened.map(deliveryOf));
    expect(found.map((delivery) => delivery !== undefined)).toEqual([false, true, true, false]);
  });

  test('includes no tests, and nothing of another account or another webhook', async () => {
    const other = await api.account();
    await addEvent(ctx, other.id);
    await addEvent(ctx, account.id, { type: 'webhook.test' });
    const event = await addEvent(ctx, account.id);
    await addDelivery(ctx, event, {
      webhookId: (await account.webhook()).id,
      status: 'delivered',
    });
    ctx.clock.advance(1000);
    expect(await countOf('failed')).toBe(1);
    await replay({ since: iso(-1000), status: 'failed' });
    await advanceReplays(ctx);
    const rows = await ctx.db.query.deliveries.findMany();
    expect(rows.filter(({ webhookId }) => webhookId === webhook.id)).toHaveLength(1);
  });

  test('ends now when asked to end later', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const body = { since: iso(-1000), until: iso(hourMs), status: 'all' };
    expect(dataOf(await replay(body))['until']).toBe(iso(0));
  });

  test('as a dry run only counts the events', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    const response = await replay({ since: iso(-1000), status: 'all', dry_run: true });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, data: { count: 4 } });
    await advanceReplays(ctx);
    expect(await deliveryOf(made.failed)).toMatchObject({ status: 'failed' });
  });

  test.each([
    ['no start', () => ({ since: undefined }), 'since'],
    ['a start that is no time', () => ({ since: 'yesterday' }), 'since'],
    ['a start that is now', () => ({ since: iso(0) }), 'since'],
    ['a start after its end', () => ({ until: iso(-2 * dayMs) }), 'since'],
    ['an end that is no time', () => ({ until: 'now' }), 'until'],
    ['no status', () => ({ status: undefined }), 'status'],
    ['another status', () => ({ status: 'pending' }), 'status'],
    ['a text for dry_run', () => ({ dry_run: 'yes' }), 'dry_run'],
    ['an unknown field', () => ({ type: 'message.created' }), 'type'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    const response = await replay({ since: iso(-dayMs), status: 'all', ...change() });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('from before the retention includes the events that still exist', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const body = { since: iso(-400 * dayMs), status: 'failed' };
    expect(dataOf(await replay({ ...body, dry_run: true }))).toEqual({ count: 1 });
    expect(dataOf(await replay(body))).toMatchObject({ since: body.since, total: 1 });
  });

  test('needs webhooks:manage', async () => {
    const reader = await account.key({ scopes: ['events:read', 'webhooks:read'] });
    const body = { since: iso(-1000), status: 'all' };
    const { uuid } = dataOf(await replay(body));
    expect((await replay(body, reader.token)).status).toBe(403);
    expect((await get(uuid, reader.token)).status).toBe(403);
    expect((await cancel(uuid, reader.token)).status).toBe(403);
  });

  test.each(['1', 'x', 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11'])(
    'is not found under %s',
    async (reference) => {
      expect((await get(reference)).status).toBe(404);
      expect((await cancel(reference)).status).toBe(404);
    },
  );
});

describe('a replay like one that still runs', () => {
  const body = () => ({ since: iso(-2000), until: iso(-1000), status: 'failed' });

  test('is refused with the uuid of the running one', async () => {
    ctx.clock.advance(5000);
    const first = dataOf(await replay(body()));
    const again = await replay(body());
    expect(again.status).toBe(422);
    expect(detailsOf(again)).toEqual({
      replay: [
        `The same replay is running already: ${String(first['uuid'])}. Wait until it is done, or cancel it first.`,
      ],
    });
    expect(await ownReplays()).toHaveLength(1);
  });

  test('is refused even if its window is written differently', async () => {
    ctx.clock.advance(5000);
    await replay({ since: iso(-2000), until: iso(-1000), status: 'all' });
    const utc = (ms: number) => iso(ms).replace('+00:00', 'Z');
    const zoned = new Date(ctx.clock.now().getTime() + 7_200_000 - 1000).toISOString();
    expect((await replay({ since: utc(-2000), until: utc(-1000), status: 'all' })).status).toBe(
      422,
    );
    const until = zoned.replace('Z', '+02:00');
    expect((await replay({ since: iso(-2000), until, status: 'all' })).status).toBe(422);
  });

  test('is refused if both end "now", although time has passed', async () => {
    ctx.clock.advance(5000);
    const since = iso(-2000);
    expect((await replay({ since, status: 'all' })).status).toBe(201);
    ctx.clock.advance(1000);
    expect((await replay({ since, status: 'all' })).status).toBe(422);
    const later = { since, until: iso(60_000), status: 'all' };
    expect((await replay(later)).status).toBe(422);
  });

  test.each([
    ['another beginning', () => ({ since: iso(-3000) })],
    ['another end', () => ({ until: iso(-500) })],
    ['no end', () => ({ until: undefined })],
    ['another choice of events', () => ({ status: 'all' })],
  ])('is made with %s', async (_what, change) => {
    ctx.clock.advance(5000);
    await replay(body());
    expect((await replay({ ...body(), ...change() })).status).toBe(201);
  });

  test('is made to another webhook', async () => {
    ctx.clock.advance(5000);
    await replay(body());
    webhook = await account.webhook();
    expect((await replay(body())).status).toBe(201);
  });

  test('is created once the other is done or cancelled', async () => {
    ctx.clock.advance(5000);
    await replay(body());
    await advanceReplays(ctx);
    const second = await replay(body());
    expect(second.status).toBe(201);
    await cancel(dataOf(second)['uuid']);
    expect((await replay(body())).status).toBe(201);
  });

  test('can still be counted', async () => {
    ctx.clock.advance(5000);
    await replay(body());
    expect((await replay({ ...body(), dry_run: true })).status).toBe(200);
  });
});

describe('a long replay', () => {
  test('queues nothing while a thousand deliveries of its webhook are due', async () => {
    await manyEvents(2100);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    const done = async () => {
      await advanceReplays(ctx);
      return dataOf(await get(uuid))['done'];
    };
    expect([await done(), await done()]).toEqual([1000, 1000]);
    // A retry in the future does not count.
    const [first] = await ownDeliveries();
    await ctx.db
      .update(deliveries)
      .set({ dueAt: new Date(ctx.clock.now().getTime() + 1000) })
      .where(eq(deliveries.id, Number(first?.id)));
    expect(await done()).toBe(2000);
    ctx.clock.advance(1000);
    expect(await done()).toBe(2000);
    await deliverPending();
    expect(await done()).toBe(2100);
  }, 60_000);

  test('continues where it was after a crash, with nothing twice and nothing left out', async () => {
    await manyEvents(2100);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    expect(await advanceReplays(ctx)).toBe(true);
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'running', total: 2100, done: 1000 });

    await deliverPending();
    // A step that dies in its transaction leaves no trace; the next process starts from there.
    ctx.expectErrors(/^a replay did not move on$/);
    expect(await advanceReplays({ ...ctx, db: dying(ctx.db) })).toBe(false);
    expect(dataOf(await get(uuid))).toMatchObject({ done: 1000 });

    const restarted = { ...ctx };
    expect(await advanceReplays(restarted)).toBe(true);
    await deliverPending();
    expect(await advanceReplays(restarted)).toBe(false);
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'done', done: 2100 });
    const rows = await ownDeliveries();
    expect(rows).toHaveLength(2100);
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(2000);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(100);
    expect(await advanceReplays(restarted)).toBe(false);
  }, 60_000);

  test('does not keep another one waiting', async () => {
    await manyEvents(1500);
    const other = await api.account();
    const hook = await other.webhook();
    const key = await other.key();
    await addEvent(ctx, other.id);
    ctx.clock.advance(1000);
    const body = { since: iso(-1000), status: 'all' };
    await replay(body);
    const path = `/api/v1/webhooks/${hook.id}/replays`;
    const short = dataOf(await api.call('POST', path, { token: key.token, body }));
    await advanceReplays(ctx);
    expect(dataOf(await get(short['uuid'], key.token))).toMatchObject({ state: 'done' });
    await advanceReplays(ctx);
  });

  test('whose step fails keeps no other one waiting', async () => {
    const uuids = await replaysOfTwoWebhooks();
    ctx.expectErrors(/^a replay did not move on$/);
    let begun = 0;
    const transaction: typeof ctx.db.transaction = async (act) => {
      begun += 1;
      if (begun === 1) throw new Error('the statement took too long');
      return await ctx.db.transaction(act);
    };
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    await advanceReplays({ ...ctx, db });
    expect(await statesOf(uuids)).toEqual(['running', 'done']);
    await advanceReplays(ctx);
    expect(await statesOf(uuids)).toEqual(['done', 'done']);
  });

  test('is left after the step in progress when the worker is stopped', async () => {
    const uuids = await replaysOfTwoWebhooks();
    const stop = new AbortController();
    const transaction: typeof ctx.db.transaction = async (act) => {
      stop.abort();
      return await ctx.db.transaction(act);
    };
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    await advanceReplays({ ...ctx, db }, stop.signal);
    expect(await statesOf(uuids)).toEqual(['done', 'running']);
    await advanceReplays(ctx);
  });

  test('lets a younger one of the same webhook begin when it is done', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const first = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    ctx.clock.advance(1);
    const second = dataOf(await replay({ since: iso(-1001), status: 'failed' }));
    const doneOf = async () => {
      const shown = [await get(first['uuid']), await get(second['uuid'])];
      return shown.map((response) => dataOf(response)['done']);
    };
    await advanceReplays(ctx);
    await deliverPending();
    await advanceReplays(ctx);
    expect(await doneOf()).toEqual([1500, 0]);
    await ctx.db
      .update(deliveries)
      .set({ status: 'failed', dueAt: null })
      .where(eq(deliveries.webhookId, webhook.id));
    await advanceReplays(ctx);
    expect(await doneOf()).toEqual([1500, 1000]);
    await deliverPending();
    await advanceReplays(ctx);
  }, 60_000);

  test('waits while its webhook is paused, and goes on when it is resumed', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await advanceReplays(ctx);
    await patch({ is_active: false });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'running', done: 1000 });
    await patch({ is_active: true });
    await deliverPending();
    await advanceReplays(ctx);
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'done', done: 1500 });
  });

  test('stops when it is cancelled, and what it queued is cancelled unless it was sent', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const fresh = await addDelivery(ctx, await addEvent(ctx, account.id), {
      webhookId: webhook.id,
    });
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await advanceReplays(ctx);
    const sent = (await ownDeliveries()).find(({ id }) => id !== fresh.id);
    if (!sent) throw new Error('nothing was queued');
    await ctx.db
      .update(deliveries)
      .set({ status: 'delivered', dueAt: null })
      .where(eq(deliveries.id, sent.id));

    const response = await cancel(uuid);
    expect(response.status).toBe(200);
    expect(dataOf(response)).toMatchObject({ state: 'cancelled', done: 1000 });
    expect(await advanceReplays(ctx)).toBe(false);
    const rows = await ownDeliveries();
    expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(999);
    expect(rows.find(({ id }) => id === fresh.id)).toEqual(fresh);
    expect(rows.find(({ id }) => id === sent.id)?.status).toBe('delivered');
  });

  test('with more deliveries than one batch cancels is cancelled completely', async () => {
    await manyEvents(1);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await advanceReplays(ctx);
    await ctx.db.execute(sql`
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, created_at, replay_uuid)
      select account_id, webhook_id, -n, event_type, status, due_at, created_at, replay_uuid
      from deliveries cross join generate_series(1, 5000) n where replay_uuid = ${String(uuid)}`);
    const waiting = async () =>
      (await ownDeliveries()).filter(({ status }) => status === 'pending').length;
    expect(dataOf(await cancel(uuid))).toMatchObject({ state: 'cancelled' });
    expect(await waiting()).toBe(1);
    await advanceReplays(ctx);
    expect(await waiting()).toBe(0);
    expect(await advanceReplays(ctx)).toBe(false);
  }, 60_000);

  test('is cancelled with its webhook', async () => {
    await manyEvents(1);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await api.call('DELETE', `/api/v1/webhooks/${webhook.id}`, { token });
    const rows = await ctx.db.query.replays.findMany();
    expect(rows.find((row) => row.uuid === uuid)?.state).toBe('cancelled');
    expect(await advanceReplays(ctx)).toBe(false);
  });
});

test('a worker moves replays on each second until it is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await manyEvents(2100);
  ctx.clock.advance(1000);
  const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
  const worker = startReplays(ctx);
  const untilDone = expect.poll(
    async () => {
      vi.advanceTimersByTime(1000);
      await deliverPending();
      return dataOf(await get(uuid));
    },
    { timeout: 30_000 },
  );
  await untilDone.toMatchObject({ state: 'done', done: 2100 });
  await worker.stop();
  expect(vi.getTimerCount()).toBe(0);
}, 60_000);

describe('cancelling', () => {
  test('works after everything was queued, as long as a delivery is pending', async () => {
    const event = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await advanceReplays(ctx);
    expect(dataOf(await cancel(uuid))).toMatchObject({ state: 'cancelled' });
    expect(await deliveryOf(event)).toMatchObject({ status: 'cancelled', dueAt: null });
    const again = await cancel(uuid);
    expect(again.status).toBe(422);
    expect(Object.keys(detailsOf(again))).toEqual(['replay']);
  });

  test('leaves what had arrived before delivered', async () => {
    const { event, arrivedAt } = await deliveredEvent();
    const { uuid } = dataOf(await replay({ since: iso(-2000), status: 'all' }));
    await advanceReplays(ctx);
    expect(await deliveryOf(event)).toMatchObject({ status: 'pending' });
    await cancel(uuid);
    const restored = { status: 'delivered', dueAt: null, finishedAt: arrivedAt };
    expect(await deliveryOf(event)).toMatchObject(restored);
    expect(await countOf('failed')).toBe(0);
  });
});

describe('an inactive webhook', () => {
  test('is sent no replay, but a dry run says how large it would be', async () => {
    await patch({ is_active: false });
    const { inactive_since: since } = await own();
    ctx.clock.advance(1000);
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const refused = await replay({ since, status: 'failed' });
    expect(refused.status).toBe(422);
    expect(detailsOf(refused)).toEqual({
      webhook: ['This webhook is inactive. Resume it first.'],
    });
    const dry = await replay({ since, status: 'failed', dry_run: true });
    expect(dry.body).toEqual({ success: true, data: { count: 1 } });
  });

  test('that is resumed with backlog deliver is sent what it missed, and what waited goes on', async () => {
    const before = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, before, { webhookId: webhook.id, tries: 2 });
    ctx.clock.advance(1000);
    await patch({ is_active: false });
    ctx.clock.advance(1000);
    const missed = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    expect((await patch({ is_active: true, backlog: 'deliver' })).status).toBe(200);

    const [begun] = (await ctx.db.query.replays.findMany()).filter(
      ({ webhookId }) => webhookId === webhook.id,
    );
    expect(begun).toMatchObject({ total: 1, statusFilter: 'failed' });
    // Events that others were writing at that moment saw the webhook inactive, and are committed by
    // now.
    const late = await addEvent(ctx, account.id, { at: new Date(ctx.clock.now().getTime() + 50) });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(await deliveryOf(missed)).toBeUndefined();
    ctx.clock.advance(5000);
    await advanceReplays(ctx);
    expect(await deliveryOf(missed)).toMatchObject({ status: 'pending', replayUuid: begun?.uuid });
    expect(await deliveryOf(late)).toMatchObject({ status: 'pending', replayUuid: begun?.uuid });
    expect(await deliveryOf(before)).toEqual(frozen);
    const log = itemsOf(await api.call('GET', '/api/v1/audit-log', { token }));
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual([
      'replay.created',
      'webhook.updated',
    ]);
  });

  test('that is resumed with backlog deliver is sent what happened while the resumption waited', async () => {
    await patch({ is_active: false });
    ctx.clock.advance(1000);
    const release = Promise.withResolvers<void>();
    const busy = [1, 2].map(async () => {
      await ctx.heavyReads.run(account.id, async () => await release.promise);
    });
    const count = vi.spyOn(ctx.heavyReads, 'run');
    const resumed = patch({ is_active: true, backlog: 'deliver' });
    await vi.waitUntil(() => count.mock.calls.length > 0);
    count.mockRestore();
    ctx.clock.advance(6000);
    const missed = await addEvent(ctx, account.id);
    release.resolve();
    await Promise.all(busy);
    expect((await resumed).status).toBe(200);
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    expect(await deliveryOf(missed)).toMatchObject({ status: 'pending' });
  });

  test('that is resumed with backlog skip is sent neither what it missed nor what waited', async () => {
    const waiting = await addEvent(ctx, account.id);
    await addDelivery(ctx, waiting, { webhookId: webhook.id });
    const elsewhere = { webhookId: (await account.webhook()).id };
    const other = await addDelivery(ctx, await addEvent(ctx, account.id), elsewhere);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(await replay({ since: iso(-1000), status: 'all' }));
    await patch({ is_active: false });
    await patch({ is_active: true, backlog: 'skip' });
    expect(await deliveryOf(waiting)).toMatchObject({ status: 'cancelled', dueAt: null });
    expect(dataOf(await get(uuid))).toMatchObject({ state: 'cancelled' });
    const rows = await ctx.db.query.deliveries.findMany();
    expect(rows.find(({ id }) => id === other.id)).toEqual(other);
  });

  test('that is resumed with backlog skip keeps what arrived before it was queued again as delivered', async () => {
    const { event, arrivedAt } = await deliveredEvent();
    const { id } = (await deliveryOf(event)) ?? {};
    await api.call('POST', `/api/v1/deliveries/${String(id)}/retry`, { token });
    await patch({ is_active: false });
    await patch({ is_active: true, backlog: 'skip' });
    const restored = { status: 'delivered', dueAt: null, finishedAt: arrivedAt };
    expect(await deliveryOf(event)).toMatchObject(restored);
  });

  test('keeps its pending deliveries if resuming with backlog skip is refused', async () => {
    const waiting = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, waiting, { webhookId: webhook.id });
    await patch({ is_active: false });
    const refused = await patch({ is_active: true, backlog: 'skip', url: 'https://10.0.0.1/' });
    expect(refused.status).toBe(422);
    expect(Object.keys(detailsOf(refused))).toEqual(['url']);
    expect(await deliveryOf(waiting)).toEqual(frozen);
    expect(await own()).toMatchObject({ is_active: false });
  });

  test('that is resumed without `backlog` is sent what waited, and nothing it missed', async () => {
    const waiting = await addEvent(ctx, account.id);
    const frozen = await addDelivery(ctx, waiting, { webhookId: webhook.id });
    await patch({ is_active: false });
    await addEvent(ctx, account.id);
    await patch({ is_active: true });
    expect(await deliveryOf(waiting)).toEqual(frozen);
    const replays = await ctx.db.query.replays.findMany();
    expect(replays.filter(({ webhookId }) => webhookId === webhook.id)).toEqual([]);
  });

  test.each([
    ['without is_active', { backlog: 'skip' }],
    ['with is_active false', { is_active: false, backlog: 'deliver' }],
    ['of an active webhook', { is_active: true, backlog: 'deliver' }],
    ['of another word', { is_active: true, backlog: 'drop' }],
  ])('a backlog %s is refused', async (_what, body) => {
    const response = await patch(body);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual(['backlog']);
  });
});

/** One event in each state in which a replay can find it. */
async function everyKind() {
  const add = async (state: Partial<DeliveryInTest> | null) => {
    const event = await addEvent(ctx, account.id);
    if (state) await addDelivery(ctx, event, { webhookId: webhook.id, ...state });
    return event;
  };
  return {
    failed: await add({ status: 'failed', attemptCount: 8, tries: 8 }),
    cancelled: await add({ status: 'cancelled' }),
    missing: await add(null),
    delivered: await add({ status: 'delivered' }),
    pending: await add({ status: 'pending', tries: 2 }),
    unsubscribed: await addEvent(ctx, account.id, { type: 'conversation.created' }),
  };
}

/** An event that arrived with its second attempt, a second ago. */
async function deliveredEvent(): Promise<{ event: EventInTest; arrivedAt: Date }> {
  const event = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, event, {
    webhookId: webhook.id,
    status: 'delivered',
    attemptCount: 2,
  });
  await addAttempt(ctx, delivery, { statusCode: 500 });
  await addAttempt(ctx, delivery, { number: 2, durationMs: 200 });
  const arrivedAt = new Date(ctx.clock.now().getTime() + 200);
  ctx.clock.advance(1000);
  return { event, arrivedAt };
}

async function manyEvents(count: number): Promise<void> {
  const row = {
    accountId: account.id,
    type: 'message.created' as const,
    payload: '{}',
    createdAt: ctx.clock.now(),
  };
  const rows = Array.from({ length: count }, () => ({ ...row, uuid: crypto.randomUUID() }));
  await ctx.db.insert(events).values(rows);
}

/** Begins a replay of one event to each of two webhooks. @returns their UUIDs */
async function replaysOfTwoWebhooks(): Promise<unknown[]> {
  // Those that earlier tests left.
  await ctx.db.execute(sql`update replays set state = 'done' where state = 'running'`);
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const other = await account.webhook();
  const begun = [webhook, other].map(async ({ id }) => {
    const body = { since: iso(-1000), status: 'all' };
    return await api.call('POST', `/api/v1/webhooks/${id}/replays`, { token, body });
  });
  return (await Promise.all(begun)).map((response) => dataOf(response)['uuid']);
}

async function statesOf(uuids: readonly unknown[]): Promise<unknown[]> {
  return await Promise.all(uuids.map(async (uuid) => dataOf(await get(uuid))['state']));
}

/** Marks the pending deliveries of the webhook as delivered. */
async function deliverPending(): Promise<void> {
  await ctx.db
    .update(deliveries)
    .set({ status: 'delivered', dueAt: null })
    .where(and(eq(deliveries.webhookId, webhook.id), eq(deliveries.status, 'pending')));
}

/** A database in which every transaction does its work and dies before the commit. */
function dying(db: TestContext['db']): TestContext['db'] {
  const transaction: typeof db.transaction = async (act) =>
    await db.transaction(async (tx) => {
      await act(tx);
      throw new Error('the process is gone');
    });
  return Object.assign(Object.create(db) as typeof db, { transaction });
}

async function replay(body: unknown, as = token): Promise<ApiResponse> {
  return await api.call('POST', `/api/v1/webhooks/${webhook.id}/replays`, { token: as, body });
}

async function countOf(status: 'failed' | 'all'): Promise<unknown> {
  return dataOf(await replay({ since: iso(-1000), status, dry_run: true }))['count'];
}

async function get(uuid: unknown, as = token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/replays/${uuid}`, { token: as });
}

async function cancel(uuid: unknown, as = token): Promise<ApiResponse> {
  return await api.call('POST', `/api/v1/replays/${uuid}/cancel`, { token: as });
}

async function patch(body: unknown): Promise<ApiResponse> {
  return await api.call('PATCH', `/api/v1/webhooks/${webhook.id}`, { token, body });
}

async function ownReplays() {
  const rows = await ctx.db.query.replays.findMany();
  return rows.filter(({ webhookId }) => webhookId === webhook.id);
}

async function own(): Promise<Record<string, unknown>> {
  return dataOf(await api.call('GET', `/api/v1/webhooks/${webhook.id}`, { token }));
}

async function ownDeliveries(): Promise<DeliveryInTest[]> {
  return await ctx.db.query.deliveries.findMany({
    where: (row, { eq: is }) => is(row.webhookId, webhook.id),
  });
}

async function deliveryOf(event: EventInTest): Promise<DeliveryInTest | undefined> {
  return (await ownDeliveries()).find(({ eventId }) => eventId === event.id);
}

function iso(fromNowMs: number): string {
  return new Date(ctx.clock.now().getTime() + fromNowMs).toISOString().replace('Z', '+00:00');
}
