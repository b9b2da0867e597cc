import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { FailedCall, FailedCallsOfKey } from '#lib/contract/api-keys/failed-calls.ts';
import { deleteOldFailedCalls } from '../../../domain/api-keys/tokens/delete-old-calls.ts';
import { FailedCallLog } from '../../../domain/api-keys/tokens/failed-call-log.ts';
import { failedCalls } from '../../../db/schema/api-keys/failed-calls.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { dataOf, itemsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestClient } from '../../../testing/api.ts';
import { logStatements } from '../../../testing/databases/log-statements.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, viewer, caller } = useApi({
  config: { rateLimitPerMinute: 10_000 },
});
const keys = new KeyCalls(caller);

describe('the refused and failed calls of a key', () => {
  test('are counted by reason and hour, with the last address', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await call(key, '/api/v1/webhooks');
    await call(key, '/api/v1/api-keys');
    ctx.clock.advance(hourMs);
    await call(key, '/api/v1/api-keys', '203.0.113.7');
    await call(key, '/api/v1/nothing');
    await keys.change(key.id, { allowed_cidrs: ['203.0.113.0/24'] });
    await call(key, '/api/v1/webhooks', '198.51.100.9');
    await keys.rotate(key.id, { grace_period_seconds: 0 });
    await call(key, '/api/v1/webhooks', '203.0.113.8');

    const reasons = await failedCallsOf(key.id);
    const last = (reason: string, address: string) => ({
      reason,
      last_at: ctx.clock.apiTime(),
      last_address: address,
    });
    expect(reasons).toHaveLength(4);
    expect(reasons).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          ...last('not_allowed', '203.0.113.7'),
          calls: 2,
          by_hour: [expect.objectContaining({ calls: 1 }), expect.objectContaining({ calls: 1 })],
        }),
        expect.objectContaining({ ...last('token_ended', '203.0.113.8'), calls: 1 }),
        expect.objectContaining({ ...last('network', '198.51.100.9'), calls: 1 }),
        expect.objectContaining({ reason: 'invalid', calls: 1 }),
      ]),
    );
  });

  test('are found by their request id, in their account alone', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const refused = await call(key, '/api/v1/api-keys', '203.0.113.7');
    const requestId = refused.headers.get('X-Request-Id') ?? '';
    expect(await find(requestId)).toEqual([
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
    expect(await find(requestId, await (await api.account()).member('viewer'))).toEqual([]);
  });

  test('are not recorded for a successful call, which costs no statement', async () => {
    const key = await account.key();
    await call(key, '/api/v1/webhooks');
    await ctx.failedCalls.flush();
    const statements: string[] = [];
    const log = new FailedCallLog({ ...ctx, db: logStatements(ctx.database, statements) });
    const logged = new TestApi({ ...ctx, failedCalls: log });
    expect((await logged.call('GET', '/api/v1/webhooks', { token: key.token })).status).toBe(200);
    await log.stop();
    expect(statements).toEqual([]);
  });

  test('are the newest 1,000 of a key, all are counted, and they are kept for 30 days', async () => {
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
    expect(await failedCallsOf(key.id)).toMatchObject([{ calls: 1200 }]);
    expect(await find('first-199')).toEqual([]);
    expect(await find('first-200')).toHaveLength(1);
    ctx.clock.advance(30 * dayMs + hourMs);
    await deleteOldFailedCalls(ctx, async () => true);
    expect(await ctx.db.$count(failedCalls)).toBe(0);
  });
});

async function call(key: TestClient, path: string, from = '203.0.113.1'): Promise<ApiResponse> {
  return await key.get(path, { 'x-client-address': from });
}

async function failedCallsOf(key: number): Promise<FailedCallsOfKey['reasons']> {
  await ctx.failedCalls.flush();
  const response = await viewer.get(`/api/dashboard/api-keys/${key}/failed-calls`);
  return dataOf<FailedCallsOfKey>(response).reasons;
}

async function find(requestId: string, by: TestClient = viewer): Promise<FailedCall[]> {
  await ctx.failedCalls.flush();
  return itemsOf<FailedCall>(await by.get(`/api/dashboard/failed-calls?request_id=${requestId}`));
}
