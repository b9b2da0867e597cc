import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { advanceReplays } from '../../../domain/replays/advance-replays.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest, EventInTest } from '../../../testing/records/deliveries.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });
const webhook = useWebhook(
  { account, caller },
  { events: ['message.created', 'conversation.closed'] },
);

describe('a replay', () => {
  test('is shown with its progress, at its creation and later', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const response = await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'failed' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        uuid: expect.any(String),
        webhook_id: webhook.id,
        since: ctx.clock.apiTime(-1000),
        until: ctx.clock.apiTime(),
        status_filter: 'failed',
        include_pending: false,
        include_earlier: false,
        state: 'running',
        total: 1,
        done: 0,
        waiting: 0,
        created_at: ctx.clock.apiTime(),
      },
    });
    const { uuid } = dataOf(response);
    expect((await webhook.getReplay(uuid)).body).toEqual(response.body);
    await advanceReplays(ctx);
    const queued = { state: 'done', done: 1, waiting: 1 };
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject(queued);
    await webhook.deliverPending();
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ ...queued, waiting: 0 });
  });

  test('says how many events of each kind its window has, and sends none from before its webhook', async () => {
    const earlier = await addEvent(ctx, account.id, {
      at: new Date(ctx.clock.now().getTime() - hourMs),
    });
    await everyKind();
    ctx.clock.advance(1000);
    const body = { since: ctx.clock.apiTime(-dayMs), status: 'failed' };
    const size = { failed: 2, missed: 1, delivered: 1, pending: 1, before_creation: 1 };
    const count = async (more: object) =>
      dataOf(await webhook.replay({ ...body, ...more, dry_run: true }));
    expect(await count({})).toEqual({ ...size, count: 3 });
    expect(await count({ status: 'all' })).toEqual({ ...size, count: 4 });
    expect(await count({ status: 'pending' })).toEqual({ ...size, count: 1 });
    expect(await count({ include_pending: true })).toEqual({ ...size, count: 4 });
    expect(await count({ include_earlier: true })).toEqual({ ...size, count: 4 });
    await webhook.replay(body);
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(earlier)).toBeUndefined();
    await webhook.replay({ ...body, include_earlier: true });
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(earlier)).toMatchObject({ status: 'pending' });
  });

  test('of what is pending sends it now as an extra attempt, and leaves it as it was if it is cancelled', async () => {
    const later = new Date(ctx.clock.now().getTime() + hourMs);
    const waiting = await webhook.deliver({ attemptCount: 3, tries: 3, dueAt: later });
    const fresh = await webhook.deliver({ dueAt: later });
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-dayMs), status: 'pending' }),
    );
    await advanceReplays(ctx);
    expect(await webhook.stored(waiting)).toMatchObject({
      tries: 3,
      dueAt: ctx.clock.now(),
      isRequested: true,
      scheduledAt: later,
      replayUuid: uuid,
    });
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ done: 1, waiting: 1 });
    expect((await webhook.cancelReplay(uuid)).status).toBe(200);
    expect(await webhook.stored(waiting)).toEqual(waiting);
    expect(await webhook.stored(fresh)).toEqual(fresh);
  });

  test('of what failed queues failed, cancelled and missing ones, and no others', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    expect(await webhook.countOf('failed')).toBe(3);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'failed' }),
    );
    ctx.clock.advance(1000);
    await advanceReplays(ctx);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({
      total: 3,
      done: 3,
      state: 'done',
    });

    const queued = { status: 'pending', tries: 0, dueAt: ctx.clock.now(), replayUuid: uuid };
    expect(await webhook.deliveryOf(made.failed)).toMatchObject({ ...queued, attemptCount: 8 });
    expect(await webhook.deliveryOf(made.cancelled)).toMatchObject({ ...queued, finishedAt: null });
    expect(await webhook.deliveryOf(made.missing)).toMatchObject({ ...queued, attemptCount: 0 });
    expect(await webhook.deliveryOf(made.delivered)).toMatchObject({ status: 'delivered' });
    expect(await webhook.deliveryOf(made.pending)).toMatchObject({ tries: 2, replayUuid: null });
    expect(await webhook.deliveryOf(made.unsubscribed)).toBeUndefined();
  });

  test('of all queues what was delivered as well, and leaves what is pending alone', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    expect(await webhook.countOf('all')).toBe(4);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await advanceReplays(ctx);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ total: 4, done: 4 });
    expect(await webhook.deliveryOf(made.delivered)).toMatchObject({
      status: 'pending',
      replayUuid: uuid,
    });
    expect(await webhook.deliveryOf(made.pending)).toMatchObject({ tries: 2, replayUuid: null });
  });

  test('begins with its first moment and ends before its last', async () => {
    const happened: EventInTest[] = [];
    for (let made = 0; made < 4; made += 1) {
      happened.push(await addEvent(ctx, account.id));
      ctx.clock.advance(1000);
    }
    const body = {
      since: ctx.clock.apiTime(-3000),
      until: ctx.clock.apiTime(-1000),
      status: 'all',
    };
    expect(dataOf(await webhook.replay({ ...body, dry_run: true }))).toMatchObject({ count: 2 });
    await webhook.replay(body);
    await advanceReplays(ctx);
    const found = await Promise.all(happened.map((event) => webhook.deliveryOf(event)));
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
    expect(await webhook.countOf('failed')).toBe(1);
    await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'failed' });
    await advanceReplays(ctx);
    const rows = await ctx.db.query.deliveries.findMany();
    expect(rows.filter(({ webhookId }) => webhookId === webhook.id)).toHaveLength(1);
  });

  test('ends now when asked to end later', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const body = {
      since: ctx.clock.apiTime(-1000),
      until: ctx.clock.apiTime(hourMs),
      status: 'all',
    };
    expect(dataOf(await webhook.replay(body))['until']).toBe(ctx.clock.apiTime());
  });

  test('as a dry run only counts the events', async () => {
    const made = await everyKind();
    ctx.clock.advance(1000);
    const response = await webhook.replay({
      since: ctx.clock.apiTime(-1000),
      status: 'all',
      dry_run: true,
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ success: true, data: { count: 4 } });
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(made.failed)).toMatchObject({ status: 'failed' });
  });

  test.each([
    ['no start', () => ({ since: undefined }), 'since'],
    ['a start that is no time', () => ({ since: 'yesterday' }), 'since'],
    ['a start that is now', () => ({ since: ctx.clock.apiTime() }), 'since'],
    ['a start after its end', () => ({ until: ctx.clock.apiTime(-2 * dayMs) }), 'since'],
    ['an end that is no time', () => ({ until: 'now' }), 'until'],
    ['no status', () => ({ status: undefined }), 'status'],
    ['another status', () => ({ status: 'delivered' }), 'status'],
    ['a text for dry_run', () => ({ dry_run: 'yes' }), 'dry_run'],
    ['an unknown field', () => ({ type: 'message.created' }), 'type'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    const response = await webhook.replay({
      since: ctx.clock.apiTime(-dayMs),
      status: 'all',
      ...change(),
    });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test.each([
    ['a start after its end', () => ({ until: ctx.clock.apiTime(-2 * dayMs) }), ['since']],
    ['a start in the future', () => ({ since: ctx.clock.apiTime(dayMs) }), ['since']],
    [
      'a start in the future and an end that is no time',
      () => ({ since: ctx.clock.apiTime(dayMs), until: 'now' }),
      ['since', 'until'],
    ],
    ['an end that is no time', () => ({ until: 'now' }), ['until']],
  ])('with %s and other wrong fields names them all', async (_what, change, fields) => {
    const wrong = { status: 'delivered', unknown: 1, ...change() };
    const response = await webhook.replay({ since: ctx.clock.apiTime(-dayMs), ...wrong });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(
      [...fields, 'status', 'unknown'].toSorted(),
    );
  });

  test('from before the retention includes the events that still exist', async () => {
    await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const body = { since: ctx.clock.apiTime(-400 * dayMs), status: 'failed' };
    expect(dataOf(await webhook.replay({ ...body, dry_run: true }))).toMatchObject({ count: 1 });
    expect(dataOf(await webhook.replay(body))).toMatchObject({ since: body.since, total: 1 });
  });

  test('needs webhooks:manage', async () => {
    const reader = await account.key({ scopes: ['events:read', 'webhooks:read'] });
    const body = { since: ctx.clock.apiTime(-1000), status: 'all' };
    const { uuid } = dataOf(await webhook.replay(body));
    expect((await webhook.replay(body, reader)).status).toBe(403);
    expect((await webhook.getReplay(uuid, reader)).status).toBe(403);
    expect((await webhook.cancelReplay(uuid, reader)).status).toBe(403);
  });

  test.each(['1', 'x', 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11'])(
    'is not found under %s',
    async (reference) => {
      expect((await webhook.getReplay(reference)).status).toBe(404);
      expect((await webhook.cancelReplay(reference)).status).toBe(404);
    },
  );
});

describe('a replay like one that still runs', () => {
  const body = () => ({
    since: ctx.clock.apiTime(-2000),
    until: ctx.clock.apiTime(-1000),
    status: 'failed',
  });

  test('is refused with the uuid of the running one', async () => {
    ctx.clock.advance(5000);
    const first = dataOf(await webhook.replay(body()));
    const again = await webhook.replay(body());
    expect(again.status).toBe(422);
    expect(detailsOf(again)).toEqual({
      replay: [
        `The same replay is running already: ${String(first['uuid'])}. Wait until it is done, or cancel it first.`,
      ],
    });
    expect(await webhook.replays()).toHaveLength(1);
  });

  test('is refused even if its window is written differently', async () => {
    ctx.clock.advance(5000);
    await webhook.replay({
      since: ctx.clock.apiTime(-2000),
      until: ctx.clock.apiTime(-1000),
      status: 'all',
    });
    const utc = (ms: number) => ctx.clock.apiTime(ms).replace('+00:00', 'Z');
    const zoned = new Date(ctx.clock.now().getTime() + 7_200_000 - 1000).toISOString();
    expect(
      (await webhook.replay({ since: utc(-2000), until: utc(-1000), status: 'all' })).status,
    ).toBe(422);
    const until = zoned.replace('Z', '+02:00');
    expect(
      (await webhook.replay({ since: ctx.clock.apiTime(-2000), until, status: 'all' })).status,
    ).toBe(422);
  });

  test('is refused if both end "now", although time has passed', async () => {
    ctx.clock.advance(5000);
    const since = ctx.clock.apiTime(-2000);
    expect((await webhook.replay({ since, status: 'all' })).status).toBe(201);
    ctx.clock.advance(1000);
    expect((await webhook.replay({ since, status: 'all' })).status).toBe(422);
    const later = { since, until: ctx.clock.apiTime(60_000), status: 'all' };
    expect((await webhook.replay(later)).status).toBe(422);
  });

  test.each([
    ['another beginning', () => ({ since: ctx.clock.apiTime(-3000) })],
    ['another end', () => ({ until: ctx.clock.apiTime(-500) })],
    ['no end', () => ({ until: undefined })],
    ['another choice of events', () => ({ status: 'all' })],
  ])('is made with %s', async (_what, change) => {
    ctx.clock.advance(5000);
    await webhook.replay(body());
    expect((await webhook.replay({ ...body(), ...change() })).status).toBe(201);
  });

  test('is made to another webhook', async () => {
    ctx.clock.advance(5000);
    await webhook.replay(body());
    const other = new TestWebhook(await account.webhook(), { account, caller });
    expect((await other.replay(body())).status).toBe(201);
  });

  test('is created once the other is done or cancelled', async () => {
    ctx.clock.advance(5000);
    await webhook.replay(body());
    await advanceReplays(ctx);
    const second = await webhook.replay(body());
    expect(second.status).toBe(201);
    await webhook.cancelReplay(dataOf(second)['uuid']);
    expect((await webhook.replay(body())).status).toBe(201);
  });

  test('can still be counted', async () => {
    ctx.clock.advance(5000);
    await webhook.replay(body());
    expect((await webhook.replay({ ...body(), dry_run: true })).status).toBe(200);
  });
});

describe('cancelling', () => {
  test('works after everything was queued, as long as a delivery is pending', async () => {
    const event = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await advanceReplays(ctx);
    expect(dataOf(await webhook.cancelReplay(uuid))).toMatchObject({ state: 'cancelled' });
    expect(await webhook.deliveryOf(event)).toMatchObject({ status: 'cancelled', dueAt: null });
    const again = await webhook.cancelReplay(uuid);
    expect(again.status).toBe(422);
    expect(Object.keys(detailsOf(again))).toEqual(['replay']);
  });

  test('leaves what had arrived before delivered', async () => {
    const { event, arrivedAt } = await webhook.deliverAtSecondAttempt();
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-2000), status: 'all' }),
    );
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(event)).toMatchObject({ status: 'pending' });
    await webhook.cancelReplay(uuid);
    const restored = { status: 'delivered', dueAt: null, finishedAt: arrivedAt };
    expect(await webhook.deliveryOf(event)).toMatchObject(restored);
    expect(await webhook.countOf('failed')).toBe(0);
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
    pending: await add({ status: 'pending', attemptCount: 2, tries: 2 }),
    unsubscribed: await addEvent(ctx, account.id, { type: 'conversation.created' }),
  };
}
