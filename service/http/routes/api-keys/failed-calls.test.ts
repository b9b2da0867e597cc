import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { FailedCall, FailedCallsOfKey } from '#lib/contract/api-keys/failed-calls.ts';
import { deleteOldFailedCalls } from '../../../domain/api-keys/tokens/delete-old-calls.ts';
import { FailedCallLog } from '../../../domain/api-keys/tokens/failed-call-log.ts';
import { failedCalls } from '../../../db/schema/api-keys/failed-calls.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { dataOf, itemsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { logStatements } from '../../../testing/databases/log-statements.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ config: { rateLimitPerMinute: 10_000 } });
const keys = new KeyCalls(caller);

describe('the refused and failed calls of a key', () => {
  test('are counted by reason and hour, with the last address', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await call(key.token, '/api/v1/webhooks');
    await call(key.token, '/api/v1/api-keys');
    ctx.clock.advance(hourMs);
    await call(key.token, '/api/v1/api-keys', '203.0.113.7');
    await call(key.token, '/api/v1/nothing');
    await keys.rotate(key.id, { grace_period_seconds: 0 });
    await call(key.token, '/api/v1/webhooks', '203.0.113.8');

    const { reasons } = await failedCallsOf(key.id);
    expect(reasons).toHaveLength(3);
    expect(reasons.find(({ reason }) => reason === 'not_allowed')).toMatchObject({
      calls: 2,
      by_hour: [{ calls: 1 }, { calls: 1 }],
      last_at: ctx.clock.apiTime(),
      last_address: '203.0.113.7',
    });
    expect(reasons.find(({ reason }) => reason === 'token_ended')).toMatchObject({
      calls: 1,
      last_address: '203.0.113.8',
    });
    expect(reasons.find(({ reason }) => reason === 'invalid')).toMatchObject({ calls: 1 });
  });

  test('from outside its networks are counted as such', async () => {
    const key = await account.key();
    await keys.change(key.id, { allowed_cidrs: ['198.51.100.0/24'] });
    expect((await call(key.token, '/api/v1/webhooks', '203.0.113.9')).status).toBe(403);
    expect((await failedCallsOf(key.id)).reasons).toMatchObject([
      { reason: 'network', calls: 1, last_address: '203.0.113.9' },
    ]);
  });

  test('are found by their request id, in their account alone', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const refused = await call(key.token, '/api/v1/api-keys', '203.0.113.7');
    const requestId = refused.headers.get('X-Request-Id') ?? '';
    await ctx.failedCalls.flush();
    expect(await find(account, requestId)).toEqual([
      {
        request_id: requestId,
        at: ctx.clock.apiTime(),
        method: 'GET',
        path: '/api/v1/api-keys',
        status: 403,
        reason: 'not_allowed',
        address: '203.0.113.7',
        user_agent: null,
        api_key: { uuid: key.uuid, name: expect.any(String) },
      },
    ]);
    expect(await find(await api.account(), requestId)).toEqual([]);
  });

  test('are not recorded for a successful call, which costs no statement', async () => {
    const key = await account.key();
    await call(key.token, '/api/v1/webhooks');
    await ctx.failedCalls.flush();
    const statements: string[] = [];
    const log = new FailedCallLog({ ...ctx, db: logStatements(ctx.database, statements) });
    const logged = new TestApi({ ...ctx, failedCalls: log });
    expect((await logged.call('GET', '/api/v1/webhooks', { token: key.token })).status).toBe(200);
    await log.stop();
    expect(statements).toEqual([]);
  });

  test('are the newest 1,000 of a key, and all are counted', async () => {
    const key = await account.key();
    const made = { accountId: account.id, apiKeyId: key.id, route: null, method: 'GET' };
    const refused = { status: 403, reason: 'network', address: '203.0.113.7' } as const;
    for (const half of ['first', 'second']) {
      for (let index = 0; index < 600; index += 1) {
        const requestId = `${half}-${index}`;
        ctx.failedCalls.record({ ...made, ...refused, requestId, userAgent: null });
      }
      await ctx.failedCalls.flush();
    }
    expect((await failedCallsOf(key.id)).reasons).toMatchObject([{ calls: 1200 }]);
    expect(await find(account, 'first-199')).toEqual([]);
    expect(await find(account, 'first-200')).toHaveLength(1);
  });

  test('are kept for 30 days', async () => {
    ctx.clock.advance(30 * dayMs + hourMs);
    await deleteOldFailedCalls(ctx, async () => true);
    expect(await ctx.db.$count(failedCalls)).toBe(0);
  });
});

async function call(token: string, path: string, from = '127.0.0.1'): Promise<ApiResponse> {
  return await api.call('GET', path, { token, headers: { 'x-client-address': from } });
}

async function failedCallsOf(key: number): Promise<FailedCallsOfKey> {
  await ctx.failedCalls.flush();
  const viewer = await account.member('viewer');
  return dataOf<FailedCallsOfKey>(
    await api.as(viewer).get(`/api/dashboard/api-keys/${key}/failed-calls`),
  );
}

async function find(by: TestAccount, requestId: string): Promise<FailedCall[]> {
  const viewer = await by.member('viewer');
  return itemsOf<FailedCall>(
    await api.as(viewer).get(`/api/dashboard/failed-calls?request_id=${requestId}`),
  );
}
