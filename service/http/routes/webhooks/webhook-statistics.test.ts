import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { TestClient } from '../../../testing/api.ts';
import { useWebhook } from '../../../testing/http/test-webhook.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const webhook = useWebhook({ account, caller });

describe('statistics', () => {
  beforeEach(() => webhook.makeOld());

  test.each([
    ['24h', 48, 1800, '2026-11-20T12:30:00.000+00:00'],
    ['7d', 28, 21_600, '2026-11-14T18:00:00.000+00:00'],
    ['30d', 30, 86_400, '2026-10-23T00:00:00.000+00:00'],
  ])('of %s have %i buckets of %i seconds, empty ones included', async (...args) => {
    const [span, count, seconds, since] = args;
    const clock = Date.parse('2026-11-21T12:28:00Z') - ctx.clock.now().getTime();
    ctx.clock.advance(clock);
    const stats = dataOf(await webhook.statistics(`?window=${span}`));
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
    const stats = dataOf(await caller.get(path));
    ctx.clock.advance(-40 * minuteMs);
    const minute = Math.floor(ctx.clock.now().getTime() / 60_000);
    const since = formatApiTime(new Date(minute * minuteMs));
    expect(stats).toMatchObject({ since, bucket_seconds: 60 });
    expect(stats['buckets']).toHaveLength(41);
  });

  test('count attempts by result, in their half hour and in total', async () => {
    const now = ctx.clock.now();
    const halfAnHourAgo = new Date(now.getTime() - 1_800_000);
    const delivery = await webhook.deliver();
    const attempt = (values: Parameters<typeof addAttempt>[2]) => addAttempt(ctx, delivery, values);
    await attempt({ durationMs: 100, startedAt: halfAnHourAgo });
    await attempt({ durationMs: 200, statusCode: 204 });
    await attempt({ durationMs: 300, statusCode: 503 });
    await attempt({ durationMs: 15_000, statusCode: null, errorKind: 'response_timeout' });
    await attempt({ durationMs: 1, statusCode: null, errorKind: 'internal' });
    await attempt({ durationMs: 1, startedAt: new Date(now.getTime() - 25 * hourMs) });
    const elsewhere = { webhookId: (await account.webhook()).id };
    await addAttempt(ctx, await addDelivery(ctx, await addEvent(ctx, account.id), elsewhere));

    const stats = dataOf(await webhook.statistics());
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
    expect(dataOf(await caller.get(path))).toMatchObject({
      delivered: 1,
      failed: 1,
      last_attempt: { status_code: 200 },
      last_failure: { status_code: 200, error: { kind: 'connection_reset' } },
    });
  });

  test('name the latest attempt in the window and the latest failed one, which no success or error of the service hides', async () => {
    const delivery = await webhook.deliver();
    const path = `/api/v1/webhooks/${webhook.id}/statistics`;
    const read = async (span = '24h') => dataOf(await caller.get(`${path}?window=${span}`));
    const lastFailure = async (span?: string) => (await read(span))['last_failure'];
    expect(await read()).toMatchObject({ last_attempt: null, last_failure: null });
    const attempt = (minutesAgo: number, values: Parameters<typeof addAttempt>[2]) =>
      addAttempt(ctx, delivery, { startedAt: minutesBefore(minutesAgo), ...values });
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
    const delivery = await webhook.deliver();
    const responseBody = `<p>Busy</p>\n\n  ${'é'.repeat(300)}`;
    const startedAt = new Date(ctx.clock.now().getTime() - 60_000);
    await addAttempt(ctx, delivery, { statusCode: 503, responseBody, startedAt });
    const excerptFor = async (reader: TestClient) => {
      const { last_failure: failure } = dataOf<{ last_failure: { body_excerpt: unknown } }>(
        await webhook.statistics('', reader),
      );
      return failure.body_excerpt;
    };
    expect(await excerptFor(caller)).toBe(`<p>Busy</p> ${'é'.repeat(188)}…`);
    const shown = await api
      .as(await account.member('support'))
      .get(`/api/v1/webhooks/${webhook.id}/statistics`);
    expect(dataOf(shown)).toMatchObject({ last_failure: { status_code: 503, body_excerpt: null } });
    await addAttempt(ctx, delivery, { number: 2, statusCode: 503, responseBody: ' ' });
    expect(await excerptFor(caller)).toBeNull();
  });

  test('quote the response to an event about a key only to keys that may read such events', async () => {
    const event = await addEvent(ctx, account.id, { type: 'api_key.expired' });
    const delivery = await addDelivery(ctx, event, { webhookId: webhook.id });
    const startedAt = new Date(ctx.clock.now().getTime() - 60_000);
    await addAttempt(ctx, delivery, { statusCode: 503, responseBody: event.payload, startedAt });
    const read = async (...scopes: Scope[]) =>
      dataOf(await webhook.statistics('', await account.key({ scopes })));
    const [hidden, shown] = [{ body_excerpt: null }, { body_excerpt: expect.any(String) }];
    expect(await read('events:read')).toMatchObject({ last_attempt: hidden, last_failure: hidden });
    expect(await read('events:read', 'api-keys:read')).toMatchObject({
      last_attempt: shown,
      last_failure: shown,
    });
  });

  test('name the delivery that is due next', async () => {
    const next = async () => dataOf(await webhook.statistics())['next_attempt'];
    expect(await next()).toBeNull();
    await webhook.deliver({ status: 'failed' });
    expect(await next()).toBeNull();
    const inMinutes = (minutes: number) => new Date(ctx.clock.now().getTime() + minutes * minuteMs);
    await webhook.deliver({ dueAt: inMinutes(5), attemptCount: 2 });
    const { id, uuid } = await webhook.deliver({ dueAt: inMinutes(3), attemptCount: 1 });
    await webhook.deliver({ dueAt: inMinutes(4) });
    expect(await next()).toEqual({ delivery: { id, uuid }, at: formatApiTime(inMinutes(3)) });
  });

  test('of another window are refused', async () => {
    const response = await webhook.statistics('?window=1y');
    expect(Object.keys(detailsOf(response))).toEqual(['window']);
  });
});
