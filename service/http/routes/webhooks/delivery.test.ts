import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { dataOf, detailsOf, itemsOf } from '../../../testing/api.ts';
import { addAttempt } from '../../../testing/records/deliveries.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const webhook = useWebhook({ account, caller });

describe('one delivery', () => {
  test('shows each attempt, what was sent and what came back', async () => {
    const delivery = await webhook.deliver({ status: 'failed', attemptCount: 2 });
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

    const byId = await webhook.getDelivery(delivery.id);
    expect((await webhook.getDelivery(delivery.uuid)).text).toBe(byId.text);
    expect(dataOf(byId)['attempts']).toEqual([
      {
        id: expect.any(Number),
        number: 1,
        started_at: ctx.clock.apiTime(),
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
    const delivery = await webhook.deliver({ status: 'delivered' });
    await addAttempt(ctx, delivery);
    const attempts = dataOf(
      await api.as(await account.member(role)).get(`/api/v1/deliveries/${delivery.id}`),
    )['attempts'];
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
      expect((await webhook.getDelivery(reference)).status).toBe(404);
    },
  );
});

describe('retrying', () => {
  test.each(['failed', 'cancelled', 'delivered'] as const)(
    'a delivery that is %s queues it now with the schedule anew',
    async (status) => {
      const delivery = await webhook.deliver({
        status,
        attemptCount: 8,
        tries: 8,
        replayUuid: crypto.randomUUID(),
      });
      ctx.clock.advance(1000);
      const response = await webhook.retry(delivery.id);
      expect(response.status).toBe(202);
      expect(dataOf(response)).toMatchObject({
        status: 'pending',
        attempt_count: 8,
        next_attempt_at: ctx.clock.apiTime(),
        finished_at: null,
      });
      expect(await webhook.stored(delivery)).toMatchObject({
        status: 'pending',
        tries: 0,
        replayUuid: null,
        dueAt: ctx.clock.now(),
      });
    },
  );

  test('a pending delivery makes it due now and keeps its place in the schedule', async () => {
    const later = new Date(ctx.clock.now().getTime() + hourMs);
    const delivery = await webhook.deliver({ attemptCount: 3, tries: 3, dueAt: later });
    expect(dataOf(await webhook.retry(delivery.uuid))).toMatchObject({
      next_attempt_at: ctx.clock.apiTime(),
    });
    expect(await webhook.stored(delivery)).toMatchObject({ tries: 3, dueAt: ctx.clock.now() });
  });

  test('is possible once a minute, and leaves as many automatic attempts as before', async () => {
    const later = new Date(ctx.clock.now().getTime() + hourMs);
    const delivery = await webhook.deliver({ attemptCount: 3, tries: 3, dueAt: later });
    const rest = {
      attempts_left: 5,
      // After waits of 2, 5, 10 and 10 hours.
      gives_up_at: formatApiTime(new Date(later.getTime() + 27 * hourMs)),
    };
    expect(dataOf(await webhook.getDelivery(delivery.id))).toMatchObject(rest);
    expect(dataOf(await webhook.retry(delivery.id))).toMatchObject(rest);
    const refused = await webhook.retry(delivery.id);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"retries";q=1;w=60');
    ctx.clock.advance(60_000);
    expect(dataOf(await webhook.retry(delivery.id))).toMatchObject(rest);
    expect(await webhook.stored(delivery)).toMatchObject({ isRequested: true, scheduledAt: later });
  });

  test('is refused while the webhook is inactive, and changes nothing', async () => {
    const delivery = await webhook.deliver({ status: 'failed' });
    await webhook.patch({ is_active: false });
    const response = await webhook.retry(delivery.id);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      webhook: ['This webhook is inactive. Resume it first.'],
    });
    expect(await webhook.stored(delivery)).toEqual(delivery);
  });

  test('needs webhooks:manage', async () => {
    const reader = await account.key({ scopes: ['events:read', 'webhooks:read'] });
    const { id } = await webhook.deliver({ status: 'failed' });
    expect((await webhook.retry(id, reader)).status).toBe(403);
  });
});

test('acts of people on deliveries are in the audit log', async () => {
  const own = await api.account();
  const key = await own.key();
  const options = { account: own, caller: key };
  const hook = new TestWebhook(await own.webhook({ name: 'Orders' }), options);
  const tested = dataOf(await hook.sendTest({}));
  await hook.retry(tested.id);
  const replay = dataOf(await hook.replay({ since: ctx.clock.apiTime(-hourMs), status: 'all' }));
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
