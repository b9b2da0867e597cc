import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { dataOf, itemsOf, nextCursorOf, refusedFields } from '../../../testing/api.ts';
import type { Resource, TestClient } from '../../../testing/api.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const webhook = useWebhook({ account, caller });

describe('the deliveries of a webhook', () => {
  test('are listed with their present state', async () => {
    const event = await addEvent(ctx, account.id);
    const row = await addDelivery(ctx, event, {
      webhookId: webhook.id,
      attemptCount: 2,
      lastStatusCode: 503,
      lastError: 'The receiver responded with 503.',
    });
    const listed = {
      id: row.id,
      uuid: row.uuid,
      webhook_id: webhook.id,
      event: { uuid: event.uuid, type: 'message.created', created_at: ctx.clock.apiTime() },
      status: 'pending',
      attempt_count: 2,
      next_attempt_at: ctx.clock.apiTime(),
      attempts_left: 8,
      gives_up_at: ctx.clock.apiTime((27 * 60 + 35) * minuteMs + 5000),
      last_attempt_at: null,
      last_duration_ms: null,
      last_status_code: 503,
      last_error: 'The receiver responded with 503.',
      created_at: ctx.clock.apiTime(),
      finished_at: null,
      replay_uuid: null,
      filter_error: null,
    };
    for (const reference of [webhook.id, webhook.uuid]) {
      const response = await caller.get(`/api/v1/webhooks/${reference}/deliveries`);
      expect(response.body).toEqual({ success: true, data: [listed], next_cursor: null });
    }
  });

  test('say when their latest attempt began and how long it took', async () => {
    const delivery = await webhook.deliver({ attemptCount: 2 });
    await addAttempt(ctx, delivery, { number: 1, durationMs: 15_000 });
    const retriedAt = new Date(ctx.clock.now().getTime() + 5000);
    await addAttempt(ctx, delivery, { number: 2, durationMs: 184, startedAt: retriedAt });
    await webhook.deliver();
    const latest = { last_attempt_at: formatApiTime(retriedAt), last_duration_ms: 184 };
    const none = { last_attempt_at: null };
    expect(itemsOf(await webhook.listDeliveries())).toMatchObject([none, latest]);
    expect(dataOf(await webhook.getDelivery(delivery.id))).toMatchObject(latest);
    expect(dataOf(await webhook.retry(delivery.id))).toMatchObject(latest);
  });

  test('are filtered by status, type and time, all together', async () => {
    const before = await webhook.deliver({ status: 'failed' });
    ctx.clock.advance(60_000);
    const failed = await webhook.deliver({ status: 'failed', lastStatusCode: 503 });
    const delivered = await webhook.deliver({ status: 'delivered', lastStatusCode: 204 });
    const event = await addEvent(ctx, account.id, { type: 'conversation.closed' });
    const closed = await addDelivery(ctx, event, { webhookId: webhook.id, lastStatusCode: 503 });
    const at = ctx.clock.apiTime();
    expect(at).toContain('+');
    const encoded = encodeURIComponent(at);
    const found = {
      'status=failed': [failed, before],
      'status=delivered': [delivered],
      'type=conversation.closed': [closed],
      [`until=${encoded}`]: [before],
      [`until=${at}`]: [before],
      [`since=${encoded}&status=failed&type=message.created`]: [failed],
      'status_code=503': [closed, failed],
      'status_code=503&status=failed': [failed],
      'status_code=404': [],
    };
    for (const [query, expected] of Object.entries(found)) {
      expect(await webhook.listedIds(`?${query}`), query).toEqual(expected.map(({ id }) => id));
    }
  });

  test('come newest first by the time they show, also if a replay made them or they were recorded out of order', async () => {
    const start = ctx.clock.now().getTime();
    const at = (minutes: number) => new Date(start + minutes * minuteMs);
    const deliver = async (minutes: number, state: Partial<DeliveryInTest> = {}) => {
      const event = await addEvent(ctx, account.id, { at: at(minutes) });
      return (await addDelivery(ctx, event, { webhookId: webhook.id, ...state })).id;
    };
    const early = await deliver(0);
    const replayUuid = crypto.randomUUID();
    const replayed = await deliver(-60, { createdAt: at(6), replayUuid });
    const last = await deliver(5);
    const middle = await deliver(1);
    expect(itemsOf(await webhook.listDeliveries())).toMatchObject([
      { id: replayed, created_at: formatApiTime(at(6)), replay_uuid: replayUuid },
      { id: last, replay_uuid: null },
      { id: middle },
      { id: early, created_at: formatApiTime(at(0)) },
    ]);
    const between = async (since: number, until: number) =>
      await webhook.listedIds(`?since=${at(since).toISOString()}&until=${at(until).toISOString()}`);
    expect(await between(0, 2)).toEqual([middle, early]);
    expect(await between(-60, 1)).toEqual([early]);
    expect(await between(1, 7)).toEqual([replayed, last, middle]);
    expect(await webhook.listedIds('?until=9999-12-31T23:59:59.999Z')).toHaveLength(4);
    expect(await webhook.listedIds('?replayed=true')).toEqual([replayed]);
    expect(await webhook.listedIds('?replayed=false')).toEqual([last, middle, early]);
  });

  test('can be followed: also a newer delivery of an older event comes, if the filters match', async () => {
    const missed = await addEvent(ctx, account.id);
    await webhook.deliver();
    const follow = async (position: string) => {
      const response = await webhook.listDeliveries(`?status=pending&follow=${position}`);
      const { follow_cursor: next } = response.body as { follow_cursor: string };
      return { ids: itemsOf(response).map(({ id }) => id), next };
    };
    const { next } = await follow('now');
    const second = await webhook.deliver();
    await webhook.deliver({ status: 'failed' });
    const replayed = await addDelivery(ctx, missed, { webhookId: webhook.id });
    expect((await follow(next)).ids).toEqual([second.id, replayed.id]);
  });

  test.each([
    'status=lost',
    'type=message.deleted',
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'retried=maybe',
    'follow=1',
    'cursor=nonsense',
    'limit=101',
    'about=',
    'about=order',
    'about=msg_1',
    'about=0',
    'about=9007199254740992',
    `about=${'1'.repeat(41)}`,
    'status_code=200',
    'status_code=600',
    'status_code=4xx',
  ])('asked for with %s are refused at that parameter', async (query) => {
    const response = await webhook.listDeliveries(`?${query}`);
    expect(refusedFields(response)).toEqual([query.split('=')[0]]);
  });

  test('are no longer visible once their webhook is deleted, and neither are attempts and statistics', async () => {
    const { id, uuid } = await webhook.deliver({ status: 'failed' });
    const window = { since: ctx.clock.apiTime(-hourMs), status: 'all' };
    const replay = dataOf(await webhook.replay(window));
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    for (const path of [
      `/webhooks/${webhook.id}/deliveries`,
      `/webhooks/${webhook.id}/statistics`,
      `/deliveries/${id}`,
      `/deliveries/${uuid}`,
      `/replays/${replay['uuid']}`,
    ]) {
      expect((await caller.get(`/api/v1${path}`)).status).toBe(404);
    }
    expect((await webhook.retry(id)).status).toBe(404);
  });
});

describe('the deliveries of a webhook are found', () => {
  const idsAbout = async (about: string | number, of = webhook) =>
    await of.listedIds(`?about=${about}`);
  const conversation = async () =>
    dataOf<Resource & { uuid: string }>(
      await caller.post('/api/v1/conversations', { subject: 'Order 1042' }),
    );

  test('by the webhook-id that the receiver got, the event and the delivery', async () => {
    const event = await addEvent(ctx, account.id);
    const { id, uuid } = await addDelivery(ctx, event, { webhookId: webhook.id });
    await webhook.deliver();
    const ids = [`msg_${event.uuid}`, `msg_test_${event.uuid}`, event.uuid, uuid];
    for (const about of [...ids, event.uuid.toUpperCase()]) {
      expect(await idsAbout(about), about).toEqual([id]);
    }
    for (const about of [crypto.randomUUID(), `msg_${crypto.randomUUID()}`, '9007199254740991']) {
      expect(await idsAbout(about), about).toEqual([]);
    }
  });

  test('by the conversation, newest first and page by page', async () => {
    const { id, uuid } = await conversation();
    const deliver = async (conversationId: number) => {
      const event = await addEvent(ctx, account.id, { conversationId });
      return (await addDelivery(ctx, event, { webhookId: webhook.id })).id;
    };
    const made = [(await webhook.listedIds('?limit=1'))[0]];
    for (let count = 0; count < 2; count += 1) {
      made.unshift(await deliver(id));
      await deliver((await conversation()).id);
    }
    expect(await idsAbout(id)).toEqual(made);
    const page = await webhook.listDeliveries(`?about=${uuid}&limit=2`);
    expect(itemsOf(page).map((item) => item.id)).toEqual(made.slice(0, 2));
    const cursor = nextCursorOf(page);
    expect(await idsAbout(`${uuid}&limit=2&cursor=${cursor}`)).toEqual(made.slice(2));
  });

  test('by the message that they announce', async () => {
    const { id } = await conversation();
    const path = `/api/v1/conversations/${id}/messages`;
    const body = { author: 'contact', text: 'Where is it?' };
    // All at the same time, because the clock stands still.
    const uuids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      uuids.unshift(String(dataOf(await caller.post(path, body))['uuid']));
    }
    const made = await webhook.listedIds('?type=message.created');
    for (const [index, uuid] of uuids.entries())
      expect(await idsAbout(uuid)).toEqual([made[index]]);
  });

  test('only those of this webhook and of this account', async () => {
    const { id, uuid } = await conversation();
    const event = await addEvent(ctx, account.id);
    await addDelivery(ctx, event, { webhookId: webhook.id });
    const other = new TestWebhook(await account.webhook(), { account, caller });
    expect(await idsAbout(event.uuid, other)).toEqual([]);
    const elsewhere = await api.account();
    const options = { account: elsewhere, caller: await elsewhere.key() };
    const theirs = new TestWebhook(await elsewhere.webhook(), options);
    for (const about of [event.uuid, uuid, id]) expect(await idsAbout(about, theirs)).toEqual([]);
  });
});

describe('deliveries that had a failed attempt', () => {
  test('are listed as retried once they were delivered or are tried again, and counted so by totals and statistics', async () => {
    await webhook.makeOld();
    const createdAt = new Date(ctx.clock.now().getTime() - hourMs);
    const refused = { statusCode: 503, startedAt: createdAt };
    const ourFault = { statusCode: null, errorKind: 'internal', startedAt: createdAt };
    type Attempt = Parameters<typeof addAttempt>[2];
    const deliver = async (state: Partial<DeliveryInTest>, ...attempts: Attempt[]) => {
      const attemptCount = attempts.length;
      const made = await webhook.deliver({ createdAt, attemptCount, ...state });
      for (const [index, attempt] of attempts.entries()) {
        await addAttempt(ctx, made, { number: index + 1, ...attempt });
      }
      return made.id;
    };
    const waiting = await deliver({});
    const atOnce = await deliver({ status: 'delivered' }, {});
    const twice = await deliver({ status: 'delivered' }, {}, {});
    const afterRetry = await deliver({ status: 'delivered' }, refused, {});
    const afterOurFault = await deliver({ status: 'delivered' }, ourFault, {});
    const retrying = await deliver({}, refused);
    const failed = await deliver({ status: 'failed', attemptCount: 8 }, refused);
    const cancelled = await deliver({ status: 'cancelled' }, refused);
    const later = await deliver({ status: 'delivered', createdAt: ctx.clock.now() }, {});

    expect(await webhook.listedIds('?retried=true')).toEqual([retrying, afterRetry]);
    expect(await webhook.listedIds('?retried=true&status=delivered')).toEqual([afterRetry]);
    expect(await webhook.listedIds('?retried=false')).toEqual([
      later,
      cancelled,
      failed,
      afterOurFault,
      twice,
      atOnce,
      waiting,
    ]);

    const exactly = (count: number) => ({ count, has_more: false });
    const totals = {
      all: 9,
      pending: 2,
      waiting: 1,
      delivered: 5,
      retried: 2,
      failed: 1,
      cancelled: 1,
    };
    expect(dataOf(await webhook.totals())).toEqual({
      ...Object.fromEntries(Object.entries(totals).map(([name, n]) => [name, exactly(n)])),
      retention_days: 30,
    });
    type Counts = Record<string, number>;
    const { deliveries, buckets } = dataOf<{
      deliveries: Counts;
      buckets: { start: string; deliveries: Counts }[];
    }>(await webhook.statistics());
    const anHourAgo = {
      total: 8,
      delivered: 4,
      delivered_after_retry: 1,
      retrying: 1,
      failed: 1,
      cancelled: 1,
    };
    expect(deliveries).toEqual({ ...anHourAgo, total: 9, delivered: 5 });
    const [before, , last] = buckets.slice(-3);
    expect(before?.deliveries).toEqual(anHourAgo);
    expect(last?.deliveries).toMatchObject({ total: 1, delivered: 1 });

    const bucket = `since=${encodeURIComponent(before?.start ?? '')}&until=${encodeURIComponent(last?.start ?? '')}`;
    for (const [filter, count, countThen] of [
      ['', totals.all, anHourAgo.total],
      ['&status=delivered', totals.delivered, anHourAgo.delivered],
      ['&status=failed', totals.failed, anHourAgo.failed],
      ['&status=cancelled', totals.cancelled, anHourAgo.cancelled],
      ['&retried=true', totals.retried, 2],
    ] as const) {
      expect(await webhook.listedIds(`?limit=100${filter}`), filter).toHaveLength(count);
      expect(await webhook.listedIds(`?${bucket}${filter}`), filter).toHaveLength(countThen);
    }
    expect(await webhook.listedIds('?status=pending')).toHaveLength(totals.pending);
  });

  test('are counted by the totals up to a thousand', async () => {
    const made = await webhook.deliver({ status: 'delivered' });
    await ctx.db.execute(sql`
      insert into deliveries (account_id, webhook_id, event_id, event_type, status, created_at)
      select ${account.id}, ${webhook.id}, ${made.eventId} + number, 'message.created', 'failed', now()
      from generate_series(1, 1000) as number
    `);
    const none = { count: 0, has_more: false };
    expect(dataOf(await webhook.totals())).toEqual({
      all: { count: 1000, has_more: true },
      pending: none,
      waiting: none,
      delivered: { count: 1, has_more: true },
      retried: none,
      failed: { count: 1000, has_more: false },
      cancelled: none,
      retention_days: 30,
    });
  });
});

describe('one delivery', () => {
  test('shows each attempt, what was sent and what came back', async () => {
    const delivery = await webhook.deliver({ status: 'failed', attemptCount: 2 });
    const error = {
      kind: 'connect_timeout',
      message: 'The receiver did not take the connection within 5 seconds.',
    };
    await addAttempt(ctx, delivery, {
      number: 1,
      statusCode: null,
      firstByteMs: null,
      errorKind: error.kind,
      errorMessage: error.message,
      responseHeaders: null,
      responseBody: null,
    });
    await addAttempt(ctx, delivery, { number: 2, isResponseTruncated: true, responseBody: 'é' });
    const [event] = itemsOf<{ data: object }>(await caller.get('/api/v1/events?limit=1'));
    const byId = await webhook.getDelivery(delivery.id);
    expect((await webhook.getDelivery(delivery.uuid)).text).toBe(byId.text);
    const headers = { 'webhook-id': 'msg_x', 'webhook-signature': 'v1,x' };
    const { attempts } = dataOf<{ attempts: { request: { body: string } }[] }>(byId);
    expect(attempts).toEqual([
      {
        id: expect.any(Number),
        number: 1,
        started_at: ctx.clock.apiTime(),
        duration_ms: 100,
        waited_ms: 5,
        first_byte_ms: null,
        url: 'https://example.com/hook',
        status_code: null,
        redirects_to: null,
        error,
        request: { headers, body: expect.any(String), body_bytes: expect.any(Number) },
        response: null,
      },
      expect.objectContaining({
        number: 2,
        status_code: 200,
        redirects_to: null,
        error: null,
        response: {
          headers: { 'content-type': 'text/plain' },
          body: 'é',
          body_bytes: 2,
          truncated: true,
        },
      }),
    ]);
    const body = attempts[0]?.request.body ?? '';
    expect(JSON.parse(body)).toMatchObject({ type: 'message.created', data: event?.data });
    expect(attempts[0]?.request).toHaveProperty('body_bytes', Buffer.byteLength(body));
  });

  test('shows what customers wrote to owners and admins alone', async () => {
    const delivery = await webhook.deliver({ status: 'delivered' });
    await addAttempt(ctx, delivery);
    const written = expect.stringContaining('It was due on Monday.');
    for (const [role, body, response] of [
      ['owner', written, 'ok'],
      ['admin', written, 'ok'],
      ['support', null, null],
      ['viewer', null, null],
    ] as const) {
      const reader: TestClient = await account.member(role);
      const { attempts } = dataOf(await webhook.getDelivery(delivery.id, reader));
      expect(attempts, role).toMatchObject([
        {
          status_code: 200,
          duration_ms: 100,
          request: { headers: { 'webhook-id': 'msg_x' }, body, body_bytes: expect.any(Number) },
          response: { headers: { 'content-type': 'text/plain' }, body: response, body_bytes: 2 },
        },
      ]);
    }
  });

  test.each(['0', '-1', '9007199254740993', '4294967296'])('is not found under %s', async (id) => {
    expect((await webhook.getDelivery(id)).status).toBe(404);
  });
});

describe('retrying', () => {
  test.each(['failed', 'cancelled', 'delivered'] as const)(
    'a delivery that is %s queues it now, with its whole schedule',
    async (status) => {
      const replayUuid = crypto.randomUUID();
      const delivery = await webhook.deliver({ status, attemptCount: 8, tries: 8, replayUuid });
      ctx.clock.advance(1000);
      const response = await webhook.retry(delivery.id);
      expect(response.status).toBe(202);
      expect(dataOf(response)).toMatchObject({
        status: 'pending',
        attempt_count: 8,
        next_attempt_at: ctx.clock.apiTime(),
        finished_at: null,
      });
      const queued = { status: 'pending', tries: 0, replayUuid: null, dueAt: ctx.clock.now() };
      expect(await webhook.stored(delivery)).toMatchObject(queued);
    },
  );

  test('a pending delivery makes it due now, once a minute, and keeps its place in the schedule', async () => {
    const later = new Date(ctx.clock.now().getTime() + hourMs);
    const delivery = await webhook.deliver({ attemptCount: 3, tries: 3, dueAt: later });
    const rest = {
      attempts_left: 5,
      // After waits of 2, 5, 10 and 10 hours.
      gives_up_at: formatApiTime(new Date(later.getTime() + 27 * hourMs)),
    };
    expect(dataOf(await webhook.getDelivery(delivery.id))).toMatchObject(rest);
    expect(dataOf(await webhook.retry(delivery.uuid))).toMatchObject({
      ...rest,
      next_attempt_at: ctx.clock.apiTime(),
    });
    const refused = await webhook.retry(delivery.id);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"retries";q=1;w=60');
    ctx.clock.advance(60_000);
    expect(dataOf(await webhook.retry(delivery.id))).toMatchObject(rest);
    expect(await webhook.stored(delivery)).toMatchObject({
      tries: 3,
      dueAt: ctx.clock.now(),
      isRequested: true,
      scheduledAt: later,
    });
  });

  test('is refused while the webhook is inactive, and changes nothing', async () => {
    const delivery = await webhook.deliver({ status: 'failed' });
    await webhook.patch({ is_active: false });
    const response = await webhook.retry(delivery.id);
    expect(response.body).toMatchObject({
      error: { details: { webhook: ['This webhook is inactive. Resume it first.'] } },
    });
    expect(await webhook.stored(delivery)).toEqual(delivery);
  });
});

test('acts of people on deliveries are in the audit log', async () => {
  const own = await api.account();
  const key = await own.key();
  const hook = new TestWebhook(await own.webhook({ name: 'Orders' }), {
    account: own,
    caller: key,
  });
  const tested = dataOf(await hook.sendTest({}));
  await hook.retry(tested.id);
  const replay = dataOf(await hook.replay({ since: ctx.clock.apiTime(-dayMs), status: 'all' }));
  await hook.cancelReplay(replay['uuid']);
  const entries = itemsOf(await key.get('/api/v1/audit-log'));
  expect(entries.slice(0, 4)).toMatchObject([
    {
      action: 'replay.cancelled',
      target: { kind: 'replay', id: replay['uuid'], name: 'Replay to Orders' },
      changes: { queued: 0, total: 0 },
    },
    { action: 'replay.created', changes: { status: 'all', total: 0 } },
    {
      action: 'delivery.retried',
      target: { kind: 'delivery', id: tested['uuid'], name: 'webhook.test to Orders' },
    },
    {
      action: 'webhook.tested',
      target: { kind: 'webhook', id: hook.uuid, name: 'Orders' },
      changes: { type: 'webhook.test', delivery: tested['uuid'] },
    },
  ]);
});
