import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

type Attempt = Parameters<typeof addAttempt>[2];

const { ctx, account, caller } = useApi();

test('statistics count the responses of a webhook by status, or by error if none was complete', async () => {
  const webhook = await givenWebhook();
  await webhook.attempts(2, { statusCode: 200 });
  await webhook.attempts(1, { statusCode: 200, errorKind: 'response_too_large' });
  await webhook.attempts(2, { statusCode: 503 });
  await webhook.attempts(1, { statusCode: 200, errorKind: 'connection_reset' });
  await webhook.attempts(4, { statusCode: null, errorKind: 'response_timeout' });
  await webhook.attempts(1, { statusCode: null, errorKind: 'internal' });
  await webhook.attempts(1, { statusCode: 404, startedAt: ago(30 * hourMs) });
  const response = (code: number | null, error: string | null, attempts: number) => ({
    status_code: code,
    error,
    attempts,
    attempts_before: null,
  });
  const read = dataOf(await webhook.statistics());
  expect(read['responses']).toEqual([
    response(null, 'response_timeout', 4),
    response(200, null, 3),
    response(503, null, 2),
    response(null, 'connection_reset', 1),
  ]);
  expect(read['previous']).toBeNull();
});

test('statistics name the 20 most frequent responses', async () => {
  const webhook = await givenWebhook();
  for (let code = 400; code < 421; code += 1) {
    await webhook.attempts(code === 420 ? 2 : 1, { statusCode: code });
  }
  const responses = dataOf(await webhook.statistics())['responses'] as { status_code: number }[];
  expect(responses.map(({ status_code: code }) => code)).toEqual([
    420,
    ...Array.from({ length: 19 }, (_, index) => 400 + index),
  ]);
});

test('the response times are those of attempts that got a response', async () => {
  const webhook = await givenWebhook();
  await webhook.attempts(1, { durationMs: 2, statusCode: null, errorKind: 'connection_refused' });
  const times = async () => {
    const { response_p50_ms: p50, response_p95_ms: p95 } = dataOf(await webhook.statistics());
    return [p50, p95];
  };
  expect(await times()).toEqual([null, null]);
  await webhook.attempts(1, { durationMs: 100 });
  await webhook.attempts(1, { durationMs: 300, statusCode: 503 });
  await webhook.attempts(1, {
    durationMs: 15_000,
    statusCode: null,
    errorKind: 'response_timeout',
  });
  expect(await times()).toEqual([200, 290]);
});

test('include=previous compares with the same span before', async () => {
  const webhook = await givenWebhook();
  await webhook.attempts(2, { statusCode: 200, durationMs: 100 });
  await webhook.attempts(1, { statusCode: 503 });
  const before = ago(24 * hourMs + 1000);
  await webhook.attempts(3, { statusCode: 200, durationMs: 80, startedAt: before });
  await webhook.attempts(1, { statusCode: 404, durationMs: 80, startedAt: before });
  await webhook.attempts(5, { statusCode: 200, startedAt: ago(49 * hourMs) });

  const read = dataOf(await webhook.statistics('?include=previous'));
  expect(read['responses']).toEqual([
    { status_code: 200, error: null, attempts: 2, attempts_before: 3 },
    { status_code: 503, error: null, attempts: 1, attempts_before: 0 },
    { status_code: 404, error: null, attempts: 0, attempts_before: 1 },
  ]);
  expect(read['previous']).toEqual({
    since: formatApiTime(new Date(Date.parse(String(read['since'])) - dayMs)),
    until: formatApiTime(ago(dayMs)),
    delivered: 3,
    failed: 1,
    success_rate: 0.75,
    response_p50_ms: 80,
    response_p95_ms: 80,
  });
});

test('include=previous compares with nothing if the webhook is younger, or the span is not kept', async () => {
  const young = await account.webhook();
  const path = `/api/v1/webhooks/${young.id}/statistics?include=previous`;
  expect(dataOf(await caller.get(path))['previous']).toBeNull();
  const webhook = await givenWebhook();
  const read = dataOf(await webhook.statistics('?window=30d&include=previous'));
  expect(read['previous']).toBeNull();
});

test('another value of include is refused', async () => {
  const webhook = await givenWebhook();
  expect(Object.keys(detailsOf(await webhook.statistics('?include=next')))).toEqual(['include']);
});

test('a status that decides the outcome of an attempt is counted, whatever is wrong with the body', async () => {
  const webhook = await givenWebhook();
  await webhook.attempts(3, { statusCode: 200, errorKind: 'invalid_response' });
  await webhook.attempts(2, { statusCode: 503, errorKind: 'invalid_response' });
  await webhook.attempts(1, { statusCode: 200, errorKind: 'read_timeout' });
  await webhook.attempts(1, { statusCode: 200, errorKind: 'internal' });
  const response = { error: null, attempts_before: null };
  expect(dataOf(await webhook.statistics())).toMatchObject({
    delivered: 3,
    failed: 3,
    responses: [
      { ...response, status_code: 200, attempts: 3 },
      { ...response, status_code: 503, attempts: 2 },
      { ...response, status_code: null, error: 'read_timeout', attempts: 1 },
    ],
  });
});

/** A webhook that is older than every window. */
async function givenWebhook() {
  const { id } = await account.webhook();
  const createdAt = ago(400 * dayMs);
  await ctx.db.update(webhooks).set({ createdAt }).where(eq(webhooks.id, id));
  const event = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, event, { webhookId: id });
  return {
    attempts: async (count: number, values: Attempt): Promise<void> => {
      for (let made = 0; made < count; made += 1) await addAttempt(ctx, delivery, values);
    },
    statistics: async (query = ''): Promise<ApiResponse> =>
      await caller.get(`/api/v1/webhooks/${id}/statistics${query}`),
  };
}

function ago(milliseconds: number): Date {
  return new Date(ctx.clock.now().getTime() - milliseconds);
}
