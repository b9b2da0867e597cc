import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { dataOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { useApi } from '../../../testing/use-api.ts';

/** With low limits: 4 creations an hour for a key or person, and so 20 for an account. */
const perCaller = 4;

const keyInput = { name: 'Made', type: 'full' };
const webhookInput = {
  name: 'Made',
  url: 'https://example.com/made',
  events: ['message.created'],
};

const { ctx, api, account, caller } = useApi({
  accountFor: 'test',
  config: { creationsPerHour: perCaller },
});

describe('creating keys and webhooks', () => {
  test('is limited for each key and hour, both kinds together, and then responds with 429', async () => {
    const statuses = [];
    for (let made = 0; made < perCaller; made += 2) {
      statuses.push(
        (await createKey(caller.token)).status,
        (await createWebhook(caller.token)).status,
      );
    }
    expect(statuses).toEqual([201, 201, 201, 201]);
    ctx.clock.advance(60_000);
    for (const attempt of [createKey, createWebhook]) {
      const refused = await attempt(caller.token);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({
        success: false,
        error: {
          code: 'RATE_LIMIT_EXCEEDED',
          message: 'Too many requests. Please slow down.',
          retry_after: 3540,
        },
      });
      expect(refused.headers.get('Retry-After')).toBe('3540');
      expect(refused.headers.get('RateLimit-Policy')).toBe('"creations";q=4;w=3600');
      expect(refused.headers.get('RateLimit')).toBe('"creations";r=0;t=3540');
    }
  });

  test('does not count what a token in its grace period is refused, with or without a repeat', async () => {
    const key = await account.key();
    const rotated = await caller.post(`/api/v1/api-keys/${key.id}/rotate`);
    for (let refused = 0; refused <= perCaller; refused += 1) {
      expect((await createKey(key.token)).status).toBe(403);
      const headers = { 'Idempotency-Key': `refused-${refused}` };
      const call = { token: key.token, body: keyInput, headers };
      expect((await api.call('POST', '/api/v1/api-keys', call)).status).toBe(403);
    }
    expect((await createKey(tokenOf(rotated))).status).toBe(201);
  });

  test('leaves everything else possible, with its own limit in the headers', async () => {
    const made = dataOf(await createWebhook(caller.token));
    for (let more = 1; more <= perCaller; more += 1) await createKey(caller.token);
    const webhook = `/api/v1/webhooks/${made.id}`;
    const responses = [
      await caller.get(webhook),
      await caller.patch(webhook, { name: 'Renamed' }),
      await caller.post(`${webhook}/regenerate-secret`),
      await caller.delete(webhook),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 201, 204]);
    for (const { headers } of responses) {
      expect(headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
    }
  });

  test('is counted for a person as for a key', async () => {
    const owner = await account.member('owner');
    const create = () => api.as(owner).post('/api/v1/api-keys', keyInput);
    for (let made = 1; made <= perCaller; made += 1) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
    expect((await createKey(caller.token)).status).toBe(201);
  });

  test('is possible five times as often for all keys and people of an account together', async () => {
    const minted = [caller.token];
    for (let made = 1; made <= perCaller; made += 1) {
      minted.push(String(dataOf(await createKey(caller.token))['token']));
    }
    for (const other of minted.slice(1)) {
      for (let made = 1; made <= perCaller; made += 1) {
        expect((await createWebhook(other)).status).toBe(201);
      }
    }
    const refused = await createKey((await account.key()).token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"account-creations";q=20;w=3600');
    const owner = await account.member('owner');
    expect((await api.as(owner).post('/api/v1/api-keys', keyInput)).status).toBe(429);
    const elsewhere = await (await api.account()).key();
    expect((await createKey(elsewhere.token)).status).toBe(201);
  });

  test('is not counted if it is refused because of input, scope or role', async () => {
    const reader = await account.key({ scopes: ['api-keys:read', 'webhooks:read'] });
    const viewer = await account.member('viewer');
    for (let tried = 0; tried < perCaller * 5; tried += 1) {
      const responses = [
        await post('/api/v1/webhooks', { name: '' }, caller.token),
        await createKey(reader.token),
        await api.as(viewer).post('/api/v1/webhooks', webhookInput),
      ];
      expect(responses.map(({ status }) => status)).toEqual([422, 403, 403]);
    }
    for (let made = 1; made <= perCaller; made += 1) {
      expect((await createWebhook(caller.token)).status).toBe(201);
    }
  });

  test.each([
    ['/api/v1/api-keys', keyInput],
    ['/api/v1/webhooks', webhookInput],
  ])('is not counted for a repeat with its Idempotency-Key: POST %s', async (path, body) => {
    const create = (name: string) => caller.post(path, body, { 'Idempotency-Key': name });
    const first = dataOf(await create('first'));
    for (let repeated = 1; repeated <= perCaller; repeated += 1) {
      expect(dataOf(await create('first'))).toMatchObject({ id: first.id });
    }
    for (let made = 2; made <= perCaller; made += 1) {
      expect((await create(`creation-${made}`)).status).toBe(201);
    }

    const again = await create('first');
    expect(again.status).toBe(201);
    expect(dataOf(again)).toMatchObject({ id: first.id });
    expect((await create('another')).status).toBe(429);
  });

  test('is counted once the Idempotency-Key is forgotten', async () => {
    const create = () =>
      caller.post('/api/v1/webhooks', webhookInput, { 'Idempotency-Key': 'daily' });
    const first = dataOf(await create());
    ctx.clock.advance(dayMs);
    for (let made = 1; made <= perCaller; made += 1) await createWebhook(caller.token);
    expect((await create()).status).toBe(429);
    ctx.clock.advance(hourMs);
    expect(dataOf(await create()).id).not.toBe(first.id);
  });

  test('is possible again an hour after the first, even if attempts never stop', async () => {
    const statuses = [];
    for (let minute = 0; minute <= 60; minute += 10) {
      for (let tried = 0; tried < 2; tried += 1)
        statuses.push((await createKey(caller.token)).status);
      ctx.clock.advance(600_000);
    }
    const refused = Array.from({ length: 8 }, () => 429);
    expect(statuses).toEqual([201, 201, 201, 201, ...refused, 201, 201]);
  });
});

const createKey = (as: string) => post('/api/v1/api-keys', keyInput, as);
const createWebhook = (as: string) => post('/api/v1/webhooks', webhookInput, as);

async function post(path: string, body: unknown, as: string): Promise<ApiResponse> {
  return await api.call('POST', path, { token: as, body });
}
