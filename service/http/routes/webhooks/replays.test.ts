import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { advanceReplays } from '../../../domain/replays/advance-replays.ts';
import { dataOf, detailsOf, refusedFields } from '../../../testing/api.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest, EventInTest } from '../../../testing/records/deliveries.ts';
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
    const { uuid, ...shown } = dataOf<{ uuid: string }>(response);
    expect([response.status, shown]).toEqual([
      201,
      {
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
    ]);
    expect(await webhook.readReplay(uuid)).toEqual({ uuid, ...shown });
    await advanceReplays(ctx);
    const queued = { state: 'done', done: 1, waiting: 1 };
    expect(await webhook.readReplay(uuid)).toMatchObject(queued);
    await webhook.deliverPending();
    expect(await webhook.readReplay(uuid)).toMatchObject({ ...queued, waiting: 0 });
  });

  test('says how many events of each kind its window has, and sends none from before its webhook', async () => {
    const at = new Date(ctx.clock.now().getTime() - hourMs);
    const earlier = await addEvent(ctx, account.id, { at });
    const made = await everyKind();
    ctx.clock.advance(1000);
    const body = { since: ctx.clock.apiTime(-dayMs), status: 'failed' };
    const size = { failed: 2, missed: 1, delivered: 1, pending: 1, before_creation: 1 };
    for (const [more, count] of [
      [{}, 3],
      [{ status: 'all' }, 4],
      [{ status: 'pending' }, 1],
      [{ include_pending: true }, 4],
      [{ include_earlier: true }, 4],
    ] as const) {
      const response = await webhook.replay({ ...body, ...more, dry_run: true });
      expect([response.status, dataOf(response)]).toEqual([200, { ...size, count }]);
    }
    await advanceReplays(ctx);
    expect(await webhook.deliveryOf(made.failed)).toMatchObject({ status: 'failed' });
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
    const uuid = await webhook.beginReplay('pending', 0);
    await advanceReplays(ctx);
    expect(await webhook.stored(waiting)).toMatchObject({
      tries: 3,
      dueAt: ctx.clock.now(),
      isRequested: true,
      scheduledAt: later,
      replayUuid: uuid,
    });
    expect(await webhook.readReplay(uuid)).toMatchObject({ done: 1, waiting: 1 });
    expect((await webhook.cancelReplay(uuid)).status).toBe(200);
    expect(await webhook.stored(waiting)).toEqual(waiting);
    expect(await webhook.stored(fresh)).toEqual(fresh);
  });

  test.each(['failed', 'all'] as const)(
    'of what is %s queues failed, cancelled and missing deliveries, delivered ones only of all, and no others',
    async (status) => {
      const made = await everyKind();
      ctx.clock.advance(1000);
      const total = status === 'all' ? 4 : 3;
      expect(await webhook.countOf(status)).toBe(total);
      const uuid = await webhook.beginReplay(status);
      ctx.clock.advance(1000);
      await advanceReplays(ctx);
      const progress = { total, done: total, state: 'done' };
      expect(await webhook.readReplay(uuid)).toMatchObject(progress);
      const queued = { status: 'pending', tries: 0, dueAt: ctx.clock.now(), replayUuid: uuid };
      const expected = {
        failed: { ...queued, attemptCount: 8 },
        cancelled: { ...queued, finishedAt: null },
        missing: { ...queued, attemptCount: 0 },
        delivered: status === 'all' ? queued : { status: 'delivered', replayUuid: null },
        pending: { tries: 2, replayUuid: null },
      };
      for (const kind of ['failed', 'cancelled', 'missing', 'delivered', 'pending'] as const) {
        expect(await webhook.deliveryOf(made[kind]), kind).toMatchObject(expected[kind]);
      }
      expect(await webhook.deliveryOf(made.unsubscribed)).toBeUndefined();
    },
  );

  test('begins with its first moment and ends before its last, or now', async () => {
    const happened: EventInTest[] = [];
    for (let made = 0; made < 4; made += 1) {
      happened.push(await addEvent(ctx, account.id));
      ctx.clock.advance(1000);
    }
    const body = { since: ctx.clock.apiTime(-3000), status: 'all' };
    const until = ctx.clock.apiTime(-1000);
    await webhook.replay({ ...body, until });
    await advanceReplays(ctx);
    const found = await Promise.all(happened.map((event) => webhook.deliveryOf(event)));
    expect(found.map((delivery) => delivery !== undefined)).toEqual([false, true, true, false]);
    const later = dataOf(await webhook.replay({ ...body, until: ctx.clock.apiTime(hourMs) }));
    expect(later['until']).toBe(ctx.clock.apiTime());
    // A window from before the retention has the events that still exist.
    const since = ctx.clock.apiTime(-400 * dayMs);
    const all = await webhook.replay({ since, until, status: 'failed' });
    expect(dataOf(all)).toMatchObject({ since, total: 1 });
  });

  test('includes no tests, and nothing of another account or another webhook', async () => {
    await addEvent(ctx, (await api.account()).id);
    await addEvent(ctx, account.id, { type: 'webhook.test' });
    const event = await addEvent(ctx, account.id);
    const other = await account.webhook();
    await addDelivery(ctx, event, { webhookId: other.id, status: 'delivered' });
    ctx.clock.advance(1000);
    expect(await webhook.countOf('failed')).toBe(1);
    await webhook.beginReplay('failed');
    await advanceReplays(ctx);
    expect(await webhook.deliveries()).toMatchObject([{ eventId: event.id }]);
  });

  test.each<[what: string, change: () => object, field: string]>([
    ['no start', () => ({ since: undefined }), 'since'],
    ['a start that is no time', () => ({ since: 'yesterday' }), 'since'],
    ['a start that is now', () => ({ since: ctx.clock.apiTime() }), 'since'],
    ['a start in the future', () => ({ since: ctx.clock.apiTime(dayMs) }), 'since'],
    ['a start after its end', () => ({ until: ctx.clock.apiTime(-2 * dayMs) }), 'since'],
    ['an end that is no time', () => ({ until: 'now' }), 'until'],
    ['a text for dry_run', () => ({ dry_run: 'yes' }), 'dry_run'],
  ])('with %s is refused at that field, and with other wrong fields at all', async (...row) => {
    const [, change, field] = row;
    const body = { since: ctx.clock.apiTime(-dayMs), status: 'all', ...change() };
    expect(refusedFields(await webhook.replay(body))).toEqual([field]);
    const alsoWrong = await webhook.replay({ ...body, status: 'delivered', unknown: 1 });
    expect(refusedFields(alsoWrong)).toEqual([field, 'status', 'unknown'].toSorted());
  });
});

describe('a replay like one that still runs', () => {
  const body = () => ({
    since: ctx.clock.apiTime(-2000),
    until: ctx.clock.apiTime(-1000),
    status: 'failed',
  });

  test('is refused with the uuid of the running one, even if its window is written differently', async () => {
    ctx.clock.advance(5000);
    const first = dataOf(await webhook.replay(body()));
    const zoned = new Date(ctx.clock.now().getTime() + 2 * hourMs - 1000).toISOString();
    for (const change of [
      {},
      { since: ctx.clock.apiTime(-2000).replace('+00:00', 'Z') },
      { until: zoned.replace('Z', '+02:00') },
    ]) {
      expect(detailsOf(await webhook.replay({ ...body(), ...change }))).toEqual({
        replay: [
          `The same replay is already running: ${String(first['uuid'])}. Wait until it is done, or cancel it first.`,
        ],
      });
    }
    expect(await webhook.replays()).toHaveLength(1);
    expect((await webhook.replay({ ...body(), dry_run: true })).status).toBe(200);
  });

  test('is refused if both end "now", although time has passed', async () => {
    ctx.clock.advance(5000);
    const since = ctx.clock.apiTime(-2000);
    expect((await webhook.replay({ since, status: 'all' })).status).toBe(201);
    ctx.clock.advance(1000);
    for (const until of [undefined, ctx.clock.apiTime(60_000)]) {
      expect((await webhook.replay({ since, until, status: 'all' })).status).toBe(422);
    }
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

  test('is made to another webhook, and once the other is done or cancelled', async () => {
    ctx.clock.advance(5000);
    await webhook.replay(body());
    const other = new TestWebhook(await account.webhook(), { account, caller });
    expect((await other.replay(body())).status).toBe(201);
    await advanceReplays(ctx);
    const second = await webhook.replay(body());
    expect(second.status).toBe(201);
    await webhook.cancelReplay(dataOf(second)['uuid']);
    expect((await webhook.replay(body())).status).toBe(201);
  });
});

describe('cancelling', () => {
  test('works after everything was queued, as long as a delivery is pending', async () => {
    const event = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const uuid = await webhook.beginReplay('all');
    await advanceReplays(ctx);
    expect(dataOf(await webhook.cancelReplay(uuid))).toMatchObject({ state: 'cancelled' });
    expect(await webhook.deliveryOf(event)).toMatchObject({ status: 'cancelled', dueAt: null });
    expect(refusedFields(await webhook.cancelReplay(uuid))).toEqual(['replay']);
  });

  test('leaves what had arrived before delivered', async () => {
    const { event, arrivedAt } = await webhook.deliverAtSecondAttempt();
    ctx.clock.advance(1000);
    const uuid = await webhook.beginReplay('all');
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
