import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { dataOf, refusedFields } from '../../../testing/api.ts';
import type { Resource, TestClient } from '../../../testing/api.ts';
import { useWebhook } from '../../../testing/http/test-webhook.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

type Attempt = Parameters<typeof addAttempt>[2];

const { ctx, account, support, caller } = useApi();
/** A webhook that is older than every window, with a delivery. */
const webhook = useWebhook({ account, caller });
let delivery: DeliveryInTest;

beforeEach(async () => {
  await webhook.makeOld();
  delivery = await webhook.deliver({ status: 'delivered' });
});

describe('the statistics of a webhook', () => {
  test('have a bucket for each part of their window, empty ones included', async () => {
    const now = ctx.clock.now();
    const stats = await read('?window=7d');
    const buckets = stats['buckets'] as { start: string; delivered: number }[];
    expect(stats).toMatchObject({
      window: '7d',
      since: buckets[0]?.start,
      until: formatApiTime(now),
      bucket_seconds: 21_600,
      delivered: 0,
      failed: 0,
      success_rate: null,
      p50_ms: null,
      p95_ms: null,
    });
    expect(new Set(buckets.map(({ start }) => start)).size).toBe(28);
    expect(buckets.every(({ delivered }) => delivered === 0)).toBe(true);

    const young = await account.webhook();
    ctx.clock.advance(hourMs);
    const path = `/api/v1/webhooks/${young.id}/statistics?window=7d`;
    expect(dataOf(await caller.get(path))).toMatchObject({ since: ctx.clock.apiTime(-hourMs) });
  });

  test('count attempts by result, in their half hour and in total', async () => {
    await attempt({ durationMs: 100, startedAt: ago(hourMs / 2) });
    await attempt({ durationMs: 200, statusCode: 204 });
    await attempt({ durationMs: 300, statusCode: 503 });
    await attempt({ durationMs: 15_000, statusCode: null, errorKind: 'response_timeout' });
    await attempt({ durationMs: 1, statusCode: null, errorKind: 'internal' });
    await attempt({ durationMs: 1, startedAt: ago(25 * hourMs) });
    const other = await account.webhook();
    const event = await addEvent(ctx, account.id);
    await addAttempt(ctx, await addDelivery(ctx, event, { webhookId: other.id }));

    const stats = await read();
    const total = { delivered: 2, failed: 2, success_rate: 0.5, p50_ms: 250, p95_ms: 12_795 };
    expect(stats).toMatchObject(total);
    expect((stats['buckets'] as unknown[]).slice(-2)).toMatchObject([
      { delivered: 1, failed: 0, success_rate: 1, p50_ms: 100, p95_ms: 100 },
      { delivered: 1, failed: 2, success_rate: 0.3333, p50_ms: 300 },
    ]);
  });

  test('name the latest attempt in the window and the latest failed one, which no success or error of the service hides', async () => {
    const lastFailure = async (query?: string) => (await read(query))['last_failure'];
    expect(await read()).toMatchObject({ last_attempt: null, last_failure: null });
    await attempt({ statusCode: 200, startedAt: ago(minuteMs) });
    await attempt({ statusCode: 500, startedAt: ago(3 * dayMs) });
    expect(await lastFailure()).toBeNull();
    expect(await lastFailure('?window=7d')).toMatchObject({ status_code: 500, error: null });
    await attempt({ statusCode: 503, startedAt: ago(9 * minuteMs) });
    expect(await read()).toMatchObject({
      last_attempt: { started_at: formatApiTime(ago(minuteMs)), status_code: 200 },
      last_failure: {
        started_at: formatApiTime(ago(9 * minuteMs)),
        duration_ms: 100,
        status_code: 503,
        error: null,
        body_excerpt: 'ok',
      },
    });
    const error = { kind: 'response_timeout', message: 'It did not respond within 15 seconds.' };
    await attempt({
      statusCode: null,
      errorKind: error.kind,
      errorMessage: error.message,
      startedAt: ago(5 * minuteMs),
    });
    const internal = { statusCode: null, errorKind: 'internal', startedAt: ago(2 * minuteMs) };
    await attempt(internal);
    expect(await lastFailure()).toMatchObject({ status_code: null, error });
    const brokenOff = { statusCode: 200, errorKind: 'connection_reset' };
    await attempt(brokenOff);
    expect(await read()).toMatchObject({
      last_attempt: { status_code: 200 },
      last_failure: { status_code: 200, error: { kind: brokenOff.errorKind } },
    });
  });

  test('quote the beginning of a response to those who may read payloads', async () => {
    const responseBody = `<p>Busy</p>\n\n  ${'é'.repeat(300)}`;
    await attempt({ statusCode: 503, responseBody, startedAt: ago(minuteMs) });
    const excerptFor = async (reader?: TestClient) =>
      (await read('', reader))['last_failure'] as { body_excerpt: unknown };
    expect((await excerptFor()).body_excerpt).toBe(`<p>Busy</p> ${'é'.repeat(188)}…`);
    const hidden = { status_code: 503, body_excerpt: null };
    expect(await excerptFor(support)).toMatchObject(hidden);
    await attempt({ number: 2, statusCode: 503, responseBody: ' ' });
    expect(await excerptFor()).toMatchObject(hidden);
  });

  test('quote the response to an event about a key only to keys that may read such events', async () => {
    const event = await addEvent(ctx, account.id, { type: 'api_key.expired' });
    delivery = await addDelivery(ctx, event, { webhookId: webhook.id });
    await attempt({ statusCode: 503, responseBody: event.payload, startedAt: ago(minuteMs) });
    const readWith = async (...scopes: Scope[]) => await read('', await account.key({ scopes }));
    const [hidden, shown] = [{ body_excerpt: null }, { body_excerpt: expect.any(String) }];
    expect(await readWith('events:read')).toMatchObject({
      last_attempt: hidden,
      last_failure: hidden,
    });
    expect(await readWith('events:read', 'api-keys:read')).toMatchObject({
      last_attempt: shown,
      last_failure: shown,
    });
  });

  test('name the delivery that is due next', async () => {
    expect((await read())['next_attempt']).toBeNull();
    const inMinutes = (minutes: number) => ago(-minutes * minuteMs);
    await webhook.deliver({ status: 'failed' });
    await webhook.deliver({ dueAt: inMinutes(5), attemptCount: 2 });
    const { id, uuid } = await webhook.deliver({ dueAt: inMinutes(3), attemptCount: 1 });
    await webhook.deliver({ dueAt: inMinutes(4) });
    expect((await read())['next_attempt']).toEqual({
      delivery: { id, uuid },
      at: formatApiTime(inMinutes(3)),
    });
  });

  test.each(['window=1y', 'include=next'])('with %s are refused', async (query) => {
    const response = await webhook.statistics(`?${query}`);
    expect(refusedFields(response)).toEqual([query.split('=')[0]]);
  });
});

describe('the responses in the statistics', () => {
  const response = (status_code: number | null, error: string | null, attempts: number) => ({
    status_code,
    error,
    attempts,
    attempts_before: null,
  });

  test('are counted by status, no matter what is wrong with the body if that decides the outcome, or by error if none was complete', async () => {
    await attempt({ statusCode: 200 }, 2);
    await attempt({ statusCode: 200, errorKind: 'response_too_large' });
    await attempt({ statusCode: 200, errorKind: 'invalid_response' }, 2);
    await attempt({ statusCode: 503, errorKind: 'invalid_response' }, 2);
    await attempt({ statusCode: 503 });
    await attempt({ statusCode: 200, errorKind: 'connection_reset', durationMs: 101 });
    await attempt({ statusCode: null, errorKind: 'response_timeout' }, 4);
    await attempt({ statusCode: 200, errorKind: 'internal' });
    await attempt({ statusCode: null, errorKind: 'internal' });
    await attempt({ statusCode: 404, startedAt: ago(30 * hourMs) });
    expect(await read()).toMatchObject({
      delivered: 5,
      failed: 8,
      responses: [
        response(200, null, 5),
        response(null, 'response_timeout', 4),
        response(503, null, 3),
        response(null, 'connection_reset', 1),
      ],
      previous: null,
    });
  });

  test('are the 20 most frequent ones', async () => {
    for (let code = 400; code < 421; code += 1) {
      await attempt({ statusCode: code }, code === 420 ? 2 : 1);
    }
    const { responses } = await read();
    expect((responses as { status_code: number }[]).map(({ status_code: code }) => code)).toEqual([
      420,
      ...Array.from({ length: 19 }, (_, index) => 400 + index),
    ]);
  });

  test('have times, if there was a response', async () => {
    const times = async () => {
      const { response_p50_ms: p50, response_p95_ms: p95 } = await read();
      return [p50, p95];
    };
    await attempt({ durationMs: 2, statusCode: null, errorKind: 'connection_refused' });
    expect(await times()).toEqual([null, null]);
    await attempt({ durationMs: 100 });
    await attempt({ durationMs: 300, statusCode: 503 });
    await attempt({ durationMs: 15_000, statusCode: null, errorKind: 'response_timeout' });
    expect(await times()).toEqual([200, 290]);
  });

  test('are compared with the same span before, if asked to and the webhook existed then', async () => {
    await attempt({ statusCode: 200 }, 2);
    await attempt({ statusCode: 503 });
    const before = { durationMs: 80, startedAt: ago(dayMs + 1000) };
    await attempt({ ...before, statusCode: 200 }, 3);
    await attempt({ ...before, statusCode: 404 });
    await attempt({ statusCode: 200, startedAt: ago(49 * hourMs) }, 5);
    const stats = await read('?include=previous');
    expect(stats['responses']).toEqual([
      { status_code: 200, error: null, attempts: 2, attempts_before: 3 },
      { status_code: 503, error: null, attempts: 1, attempts_before: 0 },
      { status_code: 404, error: null, attempts: 0, attempts_before: 1 },
    ]);
    expect(stats['previous']).toEqual({
      since: formatApiTime(new Date(Date.parse(String(stats['since'])) - dayMs)),
      until: formatApiTime(ago(dayMs)),
      delivered: 3,
      failed: 1,
      success_rate: 0.75,
      response_p50_ms: 80,
      response_p95_ms: 80,
    });
    // That span is not kept.
    expect((await read('?window=30d&include=previous'))['previous']).toBeNull();
    const young = await account.webhook();
    const path = `/api/v1/webhooks/${young.id}/statistics?include=previous`;
    expect(dataOf(await caller.get(path))['previous']).toBeNull();
  });
});

async function attempt(values: Attempt, count = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) await addAttempt(ctx, delivery, values);
}

async function read(query = '', reader: TestClient = caller): Promise<Resource> {
  return dataOf(await webhook.statistics(query, reader));
}

function ago(milliseconds: number): Date {
  return new Date(ctx.clock.now().getTime() - milliseconds);
}
