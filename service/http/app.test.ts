import { describe, expect, test } from 'vitest';
import { newToken } from '../tokens/token.ts';
import { createApp } from './app.ts';
import { TestApi } from '../testing/api.ts';
import { useApi } from '../testing/use-api.ts';

const { ctx, api, caller } = useApi();

describe('every response', () => {
  test('carries a request id; a plain one from the client is kept', async () => {
    const id = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'X-Request-Id': given };
      return (await caller.get('/api/v1/webhooks', headers)).headers.get('X-Request-Id');
    };
    expect(await id()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('trace-42_a')).toBe('trace-42_a');
    expect(await id('has spaces')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is never cached and allows no other origin', async () => {
    for (const options of [{ token: caller.token }, {}, { token: 'wrong' }]) {
      const { headers } = await api.call('GET', '/api/v1/webhooks', {
        ...options,
        headers: { Origin: 'https://elsewhere.example' },
      });
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  test('to an authenticated caller states the rate limit, even if it is a refusal', async () => {
    for (const path of ['/api/v1/webhooks', '/api/v1/webhooks/99999', '/api/v1/nothing']) {
      const { headers } = await caller.get(path);
      expect(headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
      expect(headers.get('RateLimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    }
  });
});

describe('an unknown path', () => {
  test('is 404 to authenticated callers only', async () => {
    expect((await api.call('GET', '/api/v1/nothing')).status).toBe(401);
    const known = await caller.get('/api/v1/nothing');
    expect(known.status).toBe(404);
    expect(known.body).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  });

  test.each(['/api/auth/sign-up/email', '/api/auth/sign-in/email', '/api/auth/get-session'])(
    '%s is one: the sign-in library serves nothing by itself',
    async (path) => {
      expect((await caller.post(path, {})).status).toBe(404);
    },
  );
});

test('every path responds with 405 to a method it does not have, and lists its methods', async () => {
  const mounted = Map.groupBy(createApp(ctx).routes, ({ path }) => path);
  expect([...mounted.keys()]).toContain('/api/v1/openapi.json');
  for (const [path, routes] of mounted) {
    const response = await api.call('PROPFIND', path, { token: caller.token });
    expect(response.status, path).toBe(405);
    const allowed = response.headers.get('Allow')?.split(', ');
    const methods = routes.map(({ method }) => method);
    expect(allowed, path).toEqual(expect.arrayContaining(methods));
    expect(allowed, path).toHaveLength(new Set(allowed).size);
  }
  const anyone = await api.call('POST', '/api/v1/openapi.json');
  expect([anyone.status, anyone.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

describe('failed authentications', () => {
  test('of one address are refused from the 61st in a minute on, but valid keys never are', async () => {
    const from = { 'x-client-address': '198.51.100.66' };
    const attempt = () => api.call('GET', '/api/v1/webhooks', { token: newToken(), headers: from });
    for (let failed = 1; failed <= 60; failed += 1) expect((await attempt()).status).toBe(401);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: expect.any(Number) },
    });
    expect((await caller.get('/api/v1/webhooks', from)).status).toBe(200);
    ctx.clock.advance(60_000);
    expect((await attempt()).status).toBe(401);
  });

  test('of one IPv6 network of 64 bits count together', async () => {
    const attempt = async (address: string) => {
      const headers = { 'x-client-address': address };
      return (await api.call('GET', '/api/v1/webhooks', { token: newToken(), headers })).status;
    };
    for (let failed = 1; failed <= 60; failed += 1) await attempt('2001:db8:1:2::1');
    expect(await attempt('2001:db8:1:2:ffff::9')).toBe(429);
    expect(await attempt('2001:db8:1:3::1')).toBe(401);
  });
});

describe('the dashboard', () => {
  test('header with the browser’s address is trusted only from the dashboard', async () => {
    const key = await (await api.account()).key({ allowedCidrs: ['192.0.2.0/24'] });
    const response = await key.get('/api/v1/api-key', {
      'X-Dashboard-Client': '192.0.2.1 browser',
    });
    expect(response.status).toBe(403);
  });
});

test('an unexpected failure is 500 without its cause', async () => {
  const broken = new TestApi({
    ...ctx,
    log: ctx.silentLog,
    keyCache: ctx.keyCache,
    limiter: {
      ...ctx.limiter,
      consume: () => Promise.reject(new Error('secret detail of the inside')),
    },
  });
  const response = await broken.call('GET', '/api/v1/webhooks', { token: caller.token });
  expect(response.status).toBe(500);
  expect(response.body).toEqual({
    success: false,
    error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' },
  });
});
