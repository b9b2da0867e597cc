import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { callAs, withSessionsById } from '../../../testing/sessions.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest } from '../../../testing/records/deliveries.ts';

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let token: string;
let webhook: { id: number; uuid: string };

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(withSessionsById(ctx));
  account = await api.account();
  token = (await account.key()).token;
});
beforeEach(async () => {
  webhook = await account.webhook();
});
afterAll(() => ctx.dispose());

describe('the deliveries of a webhook', () => {
  test('are listed with their present state', async () => {
    const event = await addEvent(ctx, account.id);
    const row = await addDelivery(ctx, event, {
      webhookId: webhook.id,
      attemptCount: 2,
      lastStatusCode: 503,
      lastError: 'The receiver responded with 503.',
    });
    for (const reference of [webhook.id, webhook.uuid]) {
      const response = await list('', { of: reference });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        success: true,
        data: [
          {
            id: row.id,
            uuid: row.uuid,
            webhook_id: webhook.id,
            event: { uuid: event.uuid, type: 'message.created', created_at: iso(0) },
            status: 'pending',
            attempt_count: 2,
            next_attempt_at: iso(0),
            last_attempt_at: null,
            last_duration_ms: null,
            last_status_code: 503,
            last_error: 'The receiver responded with 503.',
            created_at: iso(0),
            finished_at: null,
          },
        ],
        next_cursor: null,
      });
    }
  });

  test('say when their latest attempt began and how long it took', async () => {
    const delivery = await deliver({ attemptCount: 2 });
    await addAttempt(ctx, delivery, { number: 1, durationMs: 15_000 });
    const retriedAt = new Date(ctx.clock.now().getTime() + 5000);
    await addAttempt(ctx, delivery, { number: 2, durationMs: 184, startedAt: retriedAt });
    await deliver();
    const latest = { last_attempt_at: formatApiTime(retriedAt), last_duration_ms: 184 };
    expect(itemsOf(await list(''))).toMatchObject([{ last_attempt_at: null }, latest]);
    expect(dataOf(await get(delivery.id))).toMatchObject(latest);
    expect(dataOf(await retry(delivery.id))).toMatchObject(latest);
  });

  test('come newest event first and are paged through once each', async () => {
    const made: number[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await deliver()).id);
    await addDelivery(ctx, await addEvent(ctx, account.id), {
      webhookId: (await account.webhook()).id,
    });
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...itemsOf(page).map(({ id }) => id));
      cursor = (page.body as { next_cursor: string | null }).next_cursor;
    }
    expect(seen).toEqual(made);
  });

  test('are filtered by status, type and time, all at once', async () => {
    const before = await deliver({ status: 'failed' });
    ctx.clock.advance(60_000);
    const failed = await deliver({ status: 'failed' });
    const delivered = await deliver({ status: 'delivered' });
    const event = await addEvent(ctx, account.id, { type: 'conversation.closed' });
    const closed = await addDelivery(ctx, event, { webhookId: webhook.id });
    const at = encodeURIComponent(iso(0));
    const asWritten = String(itemsOf(await list('?status=delivered'))[0]?.created_at);
    expect(await idsOf('?status=failed')).toEqual([failed.id, before.id]);
    expect(await idsOf('?status=delivered')).toEqual([delivered.id]);
    expect(await idsOf('?type=conversation.closed')).toEqual([closed.id]);
    expect(await idsOf(`?until=${at}`)).toEqual([before.id]);
    expect(asWritten).toContain('+');
    expect(await idsOf(`?until=${asWritten}`)).toEqual([before.id]);
    expect(await idsOf(`?since=${at}&status=failed&type=message.created`)).toEqual([failed.id]);
  });

  test('can be polled: `after` returns only newer ones', async () => {
    const first = await deliver();
    expect(await idsOf(`?after=${first.id}`)).toEqual([]);
    const second = await deliver();
    const third = await deliver();
    expect(await idsOf(`?after=${first.id}`)).toEqual([third.id, second.id]);
    const page = await list(`?after=${first.id}&limit=1`);
    expect(itemsOf(page).map(({ id }) => id)).toEqual([third.id]);
    const { next_cursor: cursor } = page.body as { next_cursor: string };
    expect(await idsOf(`?after=${first.id}&limit=1&cursor=${cursor}`)).toEqual([second.id]);
  });

  test.each([
    ['?status=lost', 'status'],
    ['?type=message.deleted', 'type'],
    ['?since=yesterday', 'since'],
    ['?until=2026-02-30T00:00:00Z', 'until'],
    ['?after=x', 'after'],
    ['?after=-1', 'after'],
    ['?after=1e300', 'after'],
    ['?cursor=nonsense', 'cursor'],
    ['?limit=101', 'limit'],
  ])('asked for with %s are refused at %s', async (query, field) => {
    const response = await list(query);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('need events:read', async () => {
    const manager = await account.key({ scopes: ['webhooks:manage'] });
    const { id } = await deliver();
    expect((await list('', { as: manager.token })).status).toBe(403);
    expect((await get(id, manager.token)).status).toBe(403);
    expect((await statistics('', manager.token)).status).toBe(403);
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`;
    expect((await api.call('GET', path)).status).toBe(401);
  });

  test('are no longer visible once their webhook is deleted, and neither are attempts and statistics', async () => {
    const { id, uuid } = await deliver({ status: 'failed' });
    const replay = dataOf(await post(`/webhooks/${webhook.id}/replays`, window('all')));
    await api.call('DELETE', `/api/v1/webhooks/${webhook.id}`, { token });
    for (const path of [
      `/webhooks/${webhook.id}/deliveries`,
      `/webhooks/${webhook.id}/statistics`,
      `/deliveries/${id}`,
      `/deliveries/${uuid}`,
      `/replays/${replay['uuid']}`,
    ]) {
      expect((await api.call('GET', `/api/v1${path}`, { token })).status).toBe(404);
    }
    expect((await retry(id)).status).toBe(404);
  });
});

describe('one delivery', () => {
  test('shows each attempt, what was sent and what came back', async () => {
    const delivery = await deliver({ status: 'failed', attemptCount: 2 });
    await addAttempt(ctx, delivery, {
      number: 1,
      statusCode: null,
      firstByteMs: null,
      errorKind: 'connect_timeout',
      errorMessage: 'The receiver did not take the connection within 5 seconds.',
      responseHeaders: null,
      responseBody: null,
    });
    await addAttempt(ctx, delivery, { number: 2, isResponseTruncated: true, responseBody: 'é' });
    const event = await ctx.db.query.events.findFirst({
      where: (row) => eq(row.id, delivery.eventId),
    });
    const payload = event?.payload ?? '';

    const byId = await get(delivery.id);
    expect((await get(delivery.uuid)).text).toBe(byId.text);
    expect(dataOf(byId)['attempts']).toEqual([
      {
        id: expect.any(Number),
        number: 1,
        started_at: iso(0),
        duration_ms: 100,
        waited_ms: 5,
        first_byte_ms: null,
        url: 'https://example.com/hook',
        status_code: null,
        error: {
          kind: 'connect_timeout',
          message: 'The receiver did not take the connection within 5 seconds.',
        },
        request: {
          headers: { 'webhook-id': 'msg_x', 'webhook-signature': 'v1,x' },
          body: payload,
          body_bytes: Buffer.byteLength(payload),
        },
        response: null,
      },
      expect.objectContaining({
        number: 2,
        status_code: 200,
        error: null,
        response: {
          headers: { 'content-type': 'text/plain' },
          body: 'é',
          body_bytes: 2,
          truncated: true,
        },
      }),
    ]);
  });

  test.each([
    ['owner', true],
    ['admin', true],
    ['support', false],
    ['viewer', false],
  ] as const)('shows what customers wrote to %s: %s', async (role, isShown) => {
    const delivery = await deliver({ status: 'delivered' });
    await addAttempt(ctx, delivery);
    const attempts = dataOf(await getAs(role, `/deliveries/${delivery.id}`))['attempts'];
    expect(attempts).toEqual([
      expect.objectContaining({
        status_code: 200,
        duration_ms: 100,
        request: {
          headers: { 'webhook-id': 'msg_x', 'webhook-signature': 'v1,x' },
          body: isShown ? expect.stringContaining('It was due on Monday.') : null,
          body_bytes: expect.any(Number),
        },
        response: {
          headers: { 'content-type': 'text/plain' },
          body: isShown ? 'ok' : null,
          body_bytes: 2,
          truncated: false,
        },
      }),
    ]);
  });

  test.each(['0', '-1', 'x', '9007199254740993', '4294967296'])(
    'is not found under %s',
    async (reference) => {
      expect((await get(reference)).status).toBe(404);
    },
  );
});

describe('retrying', () => {
  test.each(['failed', 'cancelled', 'delivered'] as const)(
    'a delivery that is %s queues it now with the schedule anew',
    async (status) => {
      const delivery = await deliver({
        status,
        attemptCount: 8,
        tries: 8,
        replayUuid: crypto.randomUUID(),
      });
      ctx.clock.advance(1000);
      const response = await retry(delivery.id);
      expect(response.status).toBe(202);
      expect(dataOf(response)).toMatchObject({
        status: 'pending',
        attempt_count: 8,
        next_attempt_at: iso(0),
        finished_at: null,
      });
      expect(await stored(delivery)).toMatchObject({
        status: 'pending',
        tries: 0,
        replayUuid: null,
        dueAt: ctx.clock.now(),
      });
    },
  );

  test('a pending delivery makes it due now and keeps its place in the schedule', async () => {
    const later = new Date(ctx.clock.now().getTime() + hourMs);
    const delivery = await deliver({ attemptCount: 3, tries: 3, dueAt: later });
    expect(dataOf(await retry(delivery.uuid))).toMatchObject({ next_attempt_at: iso(0) });
    expect(await stored(delivery)).toMatchObject({ tries: 3, dueAt: ctx.clock.now() });
  });

  test('is refused while the webhook is inactive, and changes nothing', async () => {
    const delivery = await deliver({ status: 'failed' });
    await setActive(false);
    const response = await retry(delivery.id);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      webhook: ['This webhook is inactive. Resume it first.'],
    });
    expect(await stored(delivery)).toEqual(delivery);
  });

  test('needs webhooks:manage', async () => {
    const reader = await account.key({ scopes: ['events:read', 'webhooks:read'] });
    const { id } = await deliver({ status: 'failed' });
    expect((await retry(id, reader.token)).status).toBe(403);
  });
});

describe('testing a webhook', () => {
  test('queues an event of its own type, with the sample of the catalog', async () => {
    const response = await post(`/webhooks/${webhook.id}/test`, undefined);
    expect(response.status).toBe(202);
    expect(dataOf(response)).toMatchObject({
      webhook_id: webhook.id,
      event: { type: 'webhook.test', created_at: iso(0) },
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: iso(0),
    });
    expect(await payloadOf(response)).toEqual({
      type: 'webhook.test',
      timestamp: iso(0),
      data: { message: 'This is a test. Nothing happened in a conversation.' },
    });
  });

  test('sends the body of another type, and records no event of that type', async () => {
    const data = {
      conversation: {
        id: 1,
        uuid: 'cd83e552-ac11-4ab9-9f77-9aa26eb20e3a',
        subject: 'Mine',
        contact: null,
        status: 'open',
        created_at: '2026-11-20T10:29:17.123+00:00',
        closed_at: null,
      },
    };
    const own = await post(`/webhooks/${webhook.id}/test`, { type: 'conversation.created', data });
    expect(dataOf(own)).toMatchObject({ event: { type: 'webhook.test' } });
    expect(await payloadOf(own)).toMatchObject({ type: 'conversation.created', data });
    const sample = await post(`/webhooks/${webhook.id}/test`, { type: 'message.created' });
    expect(await payloadOf(sample)).toMatchObject({
      type: 'message.created',
      data: { message: { text: 'It was due on Monday.' } },
    });
  });

  test('goes before everything that is pending for the webhook', async () => {
    const earlier = new Date(ctx.clock.now().getTime() - dayMs);
    await deliver({ dueAt: earlier });
    const response = await post(`/webhooks/${webhook.id}/test`, {});
    const rows = await ctx.db.query.deliveries.findMany();
    const row = rows.find(({ id }) => id === dataOf(response).id);
    expect(row?.dueAt).toEqual(new Date(earlier.getTime() - 1));
  });

  test.each([
    ['an unknown type', { type: 'message.deleted' }, 'type'],
    ['data that the type does not have', { type: 'conversation.closed', data: {} }, 'data'],
    ['data of another type', { data: { conversation: {} } }, 'data'],
    ['data that is no object', { data: 'text' }, 'data'],
    ['an unknown field', { url: 'https://example.com/' }, 'url'],
  ])('with %s is refused at that field', async (_what, body, field) => {
    const response = await post(`/webhooks/${webhook.id}/test`, body);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('says where in the data something is wrong', async () => {
    const response = await post(`/webhooks/${webhook.id}/test`, { data: { message: 7 } });
    expect(detailsOf(response)['data']?.[0]).toMatch(/^message: /);
  });

  test('with a body above 64 KiB is refused', async () => {
    const types = itemsOf(await api.call('GET', '/api/v1/event-types', { token }));
    const entry = types.find(({ type }) => type === 'conversation.created');
    const { sample } = entry as unknown as { sample: { data: { conversation: object } } };
    const data = { conversation: { ...sample.data.conversation, subject: 'x'.repeat(65_536) } };
    const response = await post(`/webhooks/${webhook.id}/test`, {
      type: 'conversation.created',
      data,
    });
    expect(detailsOf(response)).toEqual({ data: ['The body would be larger than 64 KiB.'] });
  });

  test('is refused before the webhook is active, and while it is paused', async () => {
    const { id } = await account.webhook({ isActive: false });
    const response = await post(`/webhooks/${id}/test`, {});
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      webhook: ['This webhook is inactive. Activate it first.'],
    });
    await setActive(false);
    expect(detailsOf(await post(`/webhooks/${webhook.id}/test`, {}))).toEqual({
      webhook: ['This webhook is inactive. Resume it first.'],
    });
  });

  test('is allowed 10 times a minute for each webhook', async () => {
    const other = await account.webhook();
    for (let count = 1; count <= 10; count += 1) {
      expect((await post(`/webhooks/${webhook.id}/test`, {})).status).toBe(202);
    }
    ctx.clock.advance(20_000);
    const refused = await post(`/webhooks/${webhook.id}/test`, {});
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('40');
    expect(refused.body).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 40 },
    });
    expect((await post(`/webhooks/${other.id}/test`, {})).status).toBe(202);
    ctx.clock.advance(40_000);
    expect((await post(`/webhooks/${webhook.id}/test`, {})).status).toBe(202);
  });

  test('needs webhooks:manage', async () => {
    const reader = await account.key({ scopes: ['events:read', 'webhooks:read'] });
    expect((await post(`/webhooks/${webhook.id}/test`, {}, reader.token)).status).toBe(403);
  });
});

describe('deliveries that had a failed attempt', () => {
  /** One of each kind, all made an hour ago, and one delivery made now; ids by their kind. */
  async function deliverEach() {
    const createdAt = new Date(ctx.clock.now().getTime() - hourMs);
    const made = {
      waiting: await deliver({ createdAt }),
      deliveredAtOnce: await deliver({ createdAt, status: 'delivered', attemptCount: 1 }),
      deliveredTwice: await deliver({ createdAt, status: 'delivered', attemptCount: 2 }),
      deliveredAfterRetry: await deliver({ createdAt, status: 'delivered', attemptCount: 2 }),
      deliveredAfterOurFault: await deliver({ createdAt, status: 'delivered', attemptCount: 2 }),
      retrying: await deliver({ createdAt, attemptCount: 1 }),
      failed: await deliver({ createdAt, status: 'failed', attemptCount: 8 }),
      cancelled: await deliver({ createdAt, status: 'cancelled', attemptCount: 1 }),
      later: await deliver({ status: 'delivered', attemptCount: 1 }),
    };
    const refused = { statusCode: 503, startedAt: createdAt };
    for (const one of [made.deliveredAtOnce, made.deliveredTwice, made.later])
      await addAttempt(ctx, one);
    await addAttempt(ctx, made.deliveredTwice, { number: 2 });
    for (const one of [made.deliveredAfterRetry, made.retrying, made.failed, made.cancelled])
      await addAttempt(ctx, one, refused);
    await addAttempt(ctx, made.deliveredAfterRetry, { number: 2 });
    const ourFault = { statusCode: null, errorKind: 'internal', startedAt: createdAt };
    await addAttempt(ctx, made.deliveredAfterOurFault, ourFault);
    await addAttempt(ctx, made.deliveredAfterOurFault, { number: 2 });
    return made;
  }

  test('are listed as retried once they were delivered or are tried again', async () => {
    const made = await deliverEach();
    const ids = async (query: string) => itemsOf(await list(query)).map(({ id }) => id);
    const retried = [made.retrying.id, made.deliveredAfterRetry.id];
    expect(await ids('?retried=true')).toEqual(retried);
    expect(await ids('?retried=true&status=delivered')).toEqual([made.deliveredAfterRetry.id]);
    const others = Object.values(made).map(({ id }) => id);
    expect(await ids('?retried=false')).toEqual(
      others.filter((id) => !retried.includes(id)).toReversed(),
    );
    expect(Object.keys(detailsOf(await list('?retried=maybe')))).toEqual(['retried']);
  });

  test('are counted by the totals as the list shows them', async () => {
    await deliverEach();
    const exactly = (count: number) => ({ count, has_more: false });
    expect(dataOf(await totals())).toEqual({
      all: exactly(9),
      pending: exactly(2),
      delivered: exactly(5),
      retried: exactly(2),
      failed: exactly(1),
      retention_days: 30,
    });
    for (const [filter, count] of [
      ['', 9],
      ['?status=pending', 2],
      ['?status=delivered', 5],
      ['?retried=true', 2],
      ['?status=failed', 1],
    ] as const) {
      expect(itemsOf(await list(filter)), filter).toHaveLength(count);
    }
  });

  test('are counted by the totals up to a thousand', async () => {
    const made = await deliver({ status: 'delivered' });
    await ctx.db.execute(sql`
      insert into deliveries (account_id, webhook_id, event_id, event_type, status, created_at)
      select ${account.id}, ${webhook.id}, ${made.eventId} + number, 'message.created', 'failed', now()
      from generate_series(1, 1000) as number
    `);
    expect(dataOf(await totals())).toEqual({
      all: { count: 1000, has_more: true },
      pending: { count: 0, has_more: false },
      delivered: { count: 1, has_more: true },
      retried: { count: 0, has_more: false },
      failed: { count: 1000, has_more: false },
      retention_days: 30,
    });
  });

  test('are counted by the statistics as the list shows them, in the half hour in which they were created', async () => {
    await makeOld(webhook);
    await deliverEach();
    const counted = dataOf(await statistics('')) as unknown as {
      buckets: { start: string; deliveries: Record<string, number> }[];
    } & Record<string, unknown>;
    const anHourAgo = {
      total: 8,
      delivered: 4,
      delivered_after_retry: 1,
      retrying: 1,
      failed: 1,
    };
    expect(counted['deliveries']).toEqual({ ...anHourAgo, total: 9, delivered: 5 });
    const [before, , last] = counted.buckets.slice(-3);
    expect(before?.deliveries).toEqual(anHourAgo);
    expect(last?.deliveries).toMatchObject({ total: 1, delivered: 1 });

    const span = `since=${encodeURIComponent(before?.start ?? '')}&until=${encodeURIComponent(last?.start ?? '')}`;
    for (const [filter, count] of [
      ['', 8],
      ['&status=delivered', 4],
      ['&status=failed', 1],
      ['&retried=true', 2],
    ] as const) {
      expect(itemsOf(await list(`?${span}${filter}`)), filter).toHaveLength(count);
    }
  });
});

describe('statistics', () => {
  beforeEach(() => makeOld(webhook));

  test.each([
    ['24h', 48, 1800, '2026-11-20T12:30:00.000+00:00'],
    ['7d', 28, 21_600, '2026-11-14T18:00:00.000+00:00'],
    ['30d', 30, 86_400, '2026-10-23T00:00:00.000+00:00'],
  ])('of %s have %i buckets of %i seconds, empty ones included', async (...about) => {
    const [span, count, seconds, since] = about;
    const clock = Date.parse('2026-11-21T12:28:00Z') - ctx.clock.now().getTime();
    ctx.clock.advance(clock);
    const stats = dataOf(await statistics(`?window=${span}`));
    ctx.clock.advance(-clock);
    expect(stats).toMatchObject({
      window: span,
      since,
      until: '2026-11-21T12:28:00.000+00:00',
      bucket_seconds: seconds,
      delivered: 0,
      failed: 0,
      success_rate: null,
      p50_ms: null,
      p95_ms: null,
    });
    const buckets = stats['buckets'] as { start: string; delivered: number }[];
    expect(buckets).toHaveLength(count);
    expect(buckets[0]?.start).toBe(since);
    expect(new Set(buckets.map(({ start }) => start)).size).toBe(count);
    expect(buckets.every(({ delivered }) => delivered === 0)).toBe(true);
  });

  test('of a young webhook begin with it, in shorter buckets', async () => {
    const young = await account.webhook();
    ctx.clock.advance(40 * minuteMs);
    const path = `/api/v1/webhooks/${young.id}/statistics?window=30d`;
    const stats = dataOf(await api.call('GET', path, { token }));
    ctx.clock.advance(-40 * minuteMs);
    const minute = Math.floor(ctx.clock.now().getTime() / 60_000);
    const since = formatApiTime(new Date(minute * minuteMs));
    expect(stats).toMatchObject({ since, bucket_seconds: 60 });
    expect(stats['buckets']).toHaveLength(41);
  });

  test('count attempts by result, in their half hour and in total', async () => {
    const now = ctx.clock.now();
    const halfAnHourAgo = new Date(now.getTime() - 1_800_000);
    const delivery = await deliver();
    const attempt = (about: Parameters<typeof addAttempt>[2]) => addAttempt(ctx, delivery, about);
    await attempt({ durationMs: 100, startedAt: halfAnHourAgo });
    await attempt({ durationMs: 200, statusCode: 204 });
    await attempt({ durationMs: 300, statusCode: 503 });
    await attempt({ durationMs: 15_000, statusCode: null, errorKind: 'response_timeout' });
    await attempt({ durationMs: 1, statusCode: null, errorKind: 'internal' });
    await attempt({ durationMs: 1, startedAt: new Date(now.getTime() - 25 * hourMs) });
    const elsewhere = { webhookId: (await account.webhook()).id };
    await addAttempt(ctx, await addDelivery(ctx, await addEvent(ctx, account.id), elsewhere));

    const stats = dataOf(await statistics(''));
    expect(stats).toMatchObject({
      delivered: 2,
      failed: 2,
      success_rate: 0.5,
      p50_ms: 250,
      p95_ms: 12_795,
    });
    const buckets = stats['buckets'] as Record<string, unknown>[];
    expect(buckets.at(-1)).toMatchObject({
      delivered: 1,
      failed: 2,
      success_rate: 0.3333,
      p50_ms: 300,
    });
    expect(buckets.at(-2)).toMatchObject({
      delivered: 1,
      failed: 0,
      success_rate: 1,
      p50_ms: 100,
      p95_ms: 100,
    });
  });

  test('count a 2xx as delivered exactly if its delivery is: even if the response was too long, but not if it broke off', async () => {
    const other = { webhookId: (await account.webhook()).id };
    const delivery = await addDelivery(ctx, await addEvent(ctx, account.id), other);
    await addAttempt(ctx, delivery, { statusCode: 200, errorKind: 'response_too_large' });
    await addAttempt(ctx, delivery, { statusCode: 200, errorKind: 'connection_reset' });
    const path = `/api/v1/webhooks/${other.webhookId}/statistics`;
    expect(dataOf(await api.call('GET', path, { token }))).toMatchObject({
      delivered: 1,
      failed: 1,
      last_attempt: { status_code: 200 },
      last_failure: { status_code: 200, error: { kind: 'connection_reset' } },
    });
  });

  test('name the latest attempt in the window and the latest failed one, which no success or error of the service hides', async () => {
    const delivery = await deliver();
    const path = `/api/v1/webhooks/${webhook.id}/statistics`;
    const read = async (span = '24h') =>
      dataOf(await api.call('GET', `${path}?window=${span}`, { token }));
    const lastFailure = async (span?: string) => (await read(span))['last_failure'];
    expect(await read()).toMatchObject({ last_attempt: null, last_failure: null });
    const attempt = (minutesAgo: number, about: Parameters<typeof addAttempt>[2]) =>
      addAttempt(ctx, delivery, { startedAt: minutesBefore(minutesAgo), ...about });
    const minutesBefore = (minutes: number) =>
      new Date(ctx.clock.now().getTime() - minutes * minuteMs);

    await attempt(1, { statusCode: 200 });
    expect(await lastFailure()).toBeNull();
    await attempt(3 * 24 * 60, { statusCode: 500 });
    expect(await lastFailure()).toBeNull();
    expect(await lastFailure('7d')).toMatchObject({ status_code: 500, error: null });
    await attempt(9, { statusCode: 503 });
    expect(await read()).toMatchObject({
      last_attempt: { started_at: formatApiTime(minutesBefore(1)), status_code: 200 },
    });
    expect(await lastFailure()).toEqual({
      started_at: formatApiTime(minutesBefore(9)),
      duration_ms: 100,
      status_code: 503,
      error: null,
      body_excerpt: 'ok',
    });
    await attempt(5, {
      statusCode: null,
      errorKind: 'response_timeout',
      errorMessage: 'The receiver did not respond within 15 seconds.',
    });
    await attempt(2, { statusCode: null, errorKind: 'internal' });
    expect(await lastFailure()).toMatchObject({
      status_code: null,
      error: {
        kind: 'response_timeout',
        message: 'The receiver did not respond within 15 seconds.',
      },
    });
  });

  test('quote the beginning of a response to those who may read payloads', async () => {
    const delivery = await deliver();
    const responseBody = `<p>Busy</p>\n\n  ${'é'.repeat(300)}`;
    const startedAt = new Date(ctx.clock.now().getTime() - 60_000);
    await addAttempt(ctx, delivery, { statusCode: 503, responseBody, startedAt });
    const excerptFor = async (reader: string) => {
      const { last_failure: failure } = dataOf(await statistics('', reader));
      return (failure as { body_excerpt: unknown }).body_excerpt;
    };
    expect(await excerptFor(token)).toBe(`<p>Busy</p> ${'é'.repeat(188)}…`);
    const shown = await getAs('support', `/webhooks/${webhook.id}/statistics`);
    expect(dataOf(shown)).toMatchObject({ last_failure: { status_code: 503, body_excerpt: null } });
    await addAttempt(ctx, delivery, { number: 2, statusCode: 503, responseBody: ' ' });
    expect(await excerptFor(token)).toBeNull();
  });

  test('name the delivery that is due next', async () => {
    const next = async () => dataOf(await statistics(''))['next_attempt'];
    expect(await next()).toBeNull();
    await deliver({ status: 'failed' });
    expect(await next()).toBeNull();
    const inMinutes = (minutes: number) => new Date(ctx.clock.now().getTime() + minutes * minuteMs);
    await deliver({ dueAt: inMinutes(5), attemptCount: 2 });
    const { id, uuid } = await deliver({ dueAt: inMinutes(3), attemptCount: 1 });
    await deliver({ dueAt: inMinutes(4) });
    expect(await next()).toEqual({ delivery: { id, uuid }, at: formatApiTime(inMinutes(3)) });
  });

  test('of another window are refused', async () => {
    const response = await statistics('?window=1y');
    expect(Object.keys(detailsOf(response))).toEqual(['window']);
  });
});

test('acts of people on deliveries are in the audit log', async () => {
  const own = await api.account();
  const key = await own.key();
  const hook = await own.webhook({ name: 'Orders' });
  const tested = dataOf(await post(`/webhooks/${hook.id}/test`, {}, key.token));
  await retry(tested.id, key.token);
  const replay = dataOf(await post(`/webhooks/${hook.id}/replays`, window('all'), key.token));
  await post(`/replays/${replay['uuid']}/cancel`, undefined, key.token);
  const entries = itemsOf(await api.call('GET', '/api/v1/audit-log', { token: key.token }));
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

async function deliver(state: Partial<DeliveryInTest> = {}): Promise<DeliveryInTest> {
  const event = await addEvent(ctx, account.id);
  return await addDelivery(ctx, event, { webhookId: webhook.id, ...state });
}

async function list(
  query: string,
  { of = webhook.id, as = token }: { of?: number | string; as?: string } = {},
): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/webhooks/${of}/deliveries${query}`, { token: as });
}

async function idsOf(query: string): Promise<number[]> {
  return itemsOf(await list(query)).map(({ id }) => id);
}

async function get(reference: unknown, as = token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/deliveries/${reference}`, { token: as });
}

async function post(path: string, body: unknown, as = token): Promise<ApiResponse> {
  return await api.call('POST', `/api/v1${path}`, { token: as, body });
}

async function retry(reference: unknown, as = token): Promise<ApiResponse> {
  return await post(`/deliveries/${reference}/retry`, undefined, as);
}

async function totals(): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/webhooks/${webhook.id}/deliveries/totals`, { token });
}

async function statistics(query: string, as = token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/webhooks/${webhook.id}/statistics${query}`, { token: as });
}

/**
 * Makes a webhook older than every window, so that data stays in the bucket where the test puts it.
 */
async function makeOld({ id }: { id: number }): Promise<void> {
  const createdAt = new Date(ctx.clock.now().getTime() - 40 * dayMs);
  await ctx.db.update(webhooks).set({ createdAt }).where(eq(webhooks.id, id));
}

async function setActive(isActive: boolean): Promise<void> {
  const body = { is_active: isActive };
  await api.call('PATCH', `/api/v1/webhooks/${webhook.id}`, { token, body });
}

async function stored({ id }: DeliveryInTest): Promise<DeliveryInTest | undefined> {
  return (await ctx.db.query.deliveries.findMany()).find((row) => row.id === id);
}

async function payloadOf(response: ApiResponse): Promise<unknown> {
  const { uuid } = dataOf(response)['event'] as { uuid: string };
  const event = (await ctx.db.query.events.findMany()).find((row) => row.uuid === uuid);
  return JSON.parse(event?.payload ?? 'null');
}

function window(status: string) {
  return { since: new Date(ctx.clock.now().getTime() - hourMs).toISOString(), status };
}

async function getAs(role: Role, path: string): Promise<ApiResponse> {
  return await callAs(api, await account.member(role), ['GET', `/api/v1${path}`]);
}

function iso(fromNowMs: number): string {
  return new Date(ctx.clock.now().getTime() + fromNowMs).toISOString().replace('Z', '+00:00');
}
