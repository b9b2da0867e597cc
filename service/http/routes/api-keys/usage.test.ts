import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import type { FailedCall } from '#lib/contract/api-keys/failed-calls.ts';
import type { ApiKeyUsage, CallsOfKey } from '#lib/contract/api-keys/usage.ts';
import { callCounts, callers, failedCalls } from '../../../db/schema/api-keys/calls.ts';
import { deleteOldCalls } from '../../../domain/api-keys/calls/delete-old-calls.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import type { ApiResponse, TestClient } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, owner, viewer, caller } = useApi({
  config: { rateLimitPerMinute: 10_000 },
});
const keys = new KeyCalls(caller);

describe('the calls of a key', () => {
  test('are counted by outcome, in buckets and by route, for a day, a week and a month', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await call(key, '/api/v1/webhooks');
    ctx.clock.advance(2 * dayMs);
    await call(key, '/api/v1/webhooks');
    await call(key, '/api/v1/webhooks/0');
    const hourAgo = ctx.clock.apiTime();
    const used = (
      path: string | null,
      outcome: string,
      scope: string | null,
      at: string | null,
    ) => ({
      method: 'GET',
      path,
      required_scope: scope,
      last_accepted_at: at,
      ...none,
      [outcome]: 1,
    });
    ctx.clock.advance(hourMs);
    await call(key, '/api/v1/api-keys');
    await call(key, '/api/v1/nothing');

    const day = await usageOf(key.id);
    expect(day.totals).toEqual({ ...none, succeeded: 1, client_error: 2, refused: 1 });
    expect(day.buckets).toHaveLength(24);
    expect(day.buckets.slice(-2)).toMatchObject([
      { ...none, succeeded: 1, client_error: 1 },
      { ...none, client_error: 1, refused: 1 },
    ]);
    expect(day.buckets.at(-1)?.start).toBe(startOfHour());
    expect(day.routes).toHaveLength(4);
    expect(day.routes).toEqual(
      expect.arrayContaining([
        used('/api/v1/webhooks', 'succeeded', 'webhooks:read', hourAgo),
        used('/api/v1/webhooks/{webhook}', 'client_error', 'webhooks:read', hourAgo),
        // The key lacks the scope, so it did not use it.
        used('/api/v1/api-keys', 'refused', 'api-keys:read', null),
        used(null, 'client_error', null, ctx.clock.apiTime()),
      ]),
    );
    const week = await usageOf(key.id, '7d');
    expect(week).toMatchObject({ bucket_seconds: 21_600, totals: { succeeded: 2 } });
    expect(week.buckets).toHaveLength(28);
    expect((await usageOf(key.id, '30d')).buckets).toHaveLength(30);
  });

  test('that did not succeed are grouped by what would fix them', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await call(key, '/api/v1/api-keys');
    await call(key, '/api/v1/api-keys', '203.0.113.7');
    await call(key, '/api/v1/audit-log');
    await key.post('/api/v1/webhooks', {});
    await keys.change(key.id, { allowed_cidrs: ['203.0.113.0/24'] });
    await call(key, '/api/v1/webhooks', '198.51.100.9');
    const newer = await keys.newToken(key.id, { grace_period_seconds: 0 });
    await call(key, '/api/v1/webhooks', '203.0.113.8');

    const { refusals, totals } = await usageOf(key.id);
    expect(totals).toMatchObject({ refused: 6, client_error: 0 });
    const group = (reason: string, status: number, calls: number) => ({ reason, status, calls });
    expect(refusals).toHaveLength(5);
    expect(refusals[0]).toEqual({
      ...group('scope', 403, 2),
      required_scope: 'api-keys:read',
      address: null,
      token_last_four: null,
      last_at: ctx.clock.apiTime(),
      last_address: '203.0.113.7',
      method: 'GET',
      path: '/api/v1/api-keys',
      buckets: [{ start: startOfHour(), calls: 2 }],
    });
    expect(refusals).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ ...group('scope', 403, 1), required_scope: 'audit-log:read' }),
        expect.objectContaining({ ...group('scope', 403, 1), required_scope: 'webhooks:manage' }),
        expect.objectContaining({ ...group('network', 403, 1), address: '198.51.100.9' }),
        expect.objectContaining({
          ...group('token_ended', 401, 1),
          token_last_four: key.token.slice(-4),
        }),
      ]),
    );
    await call(api.as(newer), '/api/v1/webhooks', '203.0.113.8');
    expect((await usageOf(key.id)).callers).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ token: { last_four: key.token.slice(-4), state: 'ended' } }),
        expect.objectContaining({ token: { last_four: newer.slice(-4), state: 'newest' } }),
      ]),
    );
  });

  test('over the limit count as limited, and show how much room there is', async () => {
    const key = await account.key();
    await keys.change(key.id, { rate_limit_per_minute: 5 });
    for (let made = 0; made < 7; made += 1) await call(key, '/api/v1/webhooks');
    ctx.clock.advance(minuteMs);
    await call(key, '/api/v1/webhooks');
    const { totals, refusals, headroom } = await usageOf(key.id);
    expect(totals).toEqual({ ...none, succeeded: 6, limited: 2 });
    expect(refusals).toMatchObject([{ reason: 'key_limit', status: 429, calls: 2 }]);
    expect(headroom.api_key).toEqual({ limit: 5, busiest: 7, usual: 7, minutes_at_limit: 1 });
    expect(headroom.account).toMatchObject({ limit: 100_000, minutes_at_limit: 0 });
  });

  test('name their callers with the first and the latest call, also one from before the window', async () => {
    const key = await account.key();
    const from = { 'x-client-address': '203.0.113.7', 'user-agent': `import ${'x'.repeat(200)}` };
    await key.get('/api/v1/webhooks', from);
    const first = ctx.clock.apiTime();
    ctx.clock.advance(2 * dayMs);
    await key.get('/api/v1/webhooks', from);
    expect(await usageOf(key.id)).toMatchObject({
      callers: [
        {
          address: '203.0.113.7',
          user_agent: `import ${'x'.repeat(93)}`,
          first_seen_at: first,
          last_seen_at: ctx.clock.apiTime(),
          calls: 1,
        },
      ],
      other_callers: 0,
    });
  });

  test('of every key are listed by the hour, for the account alone', async () => {
    const key = await account.key();
    await call(key, '/api/v1/webhooks');
    await ctx.calls.flush();
    const list = async (by: TestClient) =>
      dataOf<CallsOfKey[]>(await by.get('/api/dashboard/api-key-calls'));
    const found = (await list(viewer)).find(({ uuid }) => uuid === key.uuid);
    expect(found?.hours).toHaveLength(24);
    expect(found?.hours.at(-1)).toEqual({ ...none, succeeded: 1 });
    expect(await list(await (await api.account()).member('viewer'))).toEqual([]);
  });

  test('are removed after 30 days', async () => {
    const key = await account.key();
    await call(key, '/api/v1/nothing');
    await ctx.calls.flush();
    ctx.clock.advance(30 * dayMs + hourMs);
    await deleteOldCalls(ctx, async () => true);
    for (const table of [callCounts, callers, failedCalls]) {
      expect(await ctx.db.$count(table)).toBe(0);
    }
  });
});

describe('the refused and failed calls of a key', () => {
  test('are found by their request id, in their account alone', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const refused = await call(key, '/api/v1/api-keys', '203.0.113.7');
    const requestId = refused.headers.get('X-Request-Id') ?? '';
    const described = {
      request_id: requestId,
      at: ctx.clock.apiTime(),
      method: 'GET',
      path: '/api/v1/api-keys',
      status: 403,
      reason: 'scope',
      address: '203.0.113.7',
      user_agent: null,
      api_key: { uuid: key.uuid, name: expect.any(String) },
    };
    expect(await find(requestId)).toEqual([described]);
    expect(await find(requestId, await (await api.account()).member('viewer'))).toEqual([]);
    const latest = await owner.get(`/api/dashboard/api-keys/${key.id}/failed-calls`);
    expect(dataOf<FailedCall[]>(latest)).toEqual([described]);
  });
});

const none = { succeeded: 0, client_error: 0, limited: 0, refused: 0, failed: 0 };

async function call(key: TestClient, path: string, from = '203.0.113.1'): Promise<ApiResponse> {
  return await key.get(path, { 'x-client-address': from });
}

async function usageOf(key: number, window = '24h'): Promise<ApiKeyUsage> {
  return dataOf<ApiKeyUsage>(await viewer.get(`/api/v1/api-keys/${key}/usage?window=${window}`));
}

function startOfHour(): string {
  return ctx.clock.apiTime().replace(/:\d\d:\d\d\.\d+/, ':00:00.000');
}

async function find(requestId: string, by: TestClient = viewer): Promise<FailedCall[]> {
  await ctx.calls.flush();
  return itemsOf<FailedCall>(await by.get(`/api/dashboard/failed-calls?request_id=${requestId}`));
}
