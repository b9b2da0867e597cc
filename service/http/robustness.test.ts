import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorTable } from '#lib/contract/error-codes.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { openTestListener } from '../testing/socket.ts';
import type { TestListener } from '../testing/socket.ts';

const requests = 5000;
/** What Node reads of a request before its body, in bytes, less what the headers here take. */
const longestUrl = 16_384 - 2000;

let ctx: TestContext;
let listener: TestListener;
let tokens: string[];

beforeAll(async () => {
  ctx = await createTestContext({
    config: {
      rateLimitPerMinute: 1_000_000,
      creationsPerHour: 1_000_000,
      failedAuthPerMinute: 1_000_000,
    },
  });
  const api = new TestApi(ctx);
  listener = await openTestListener(ctx, api);
  const account = await api.account();
  const key = await account.key();
  tokens = [
    key.token,
    key.token,
    key.token,
    (await account.key({ scopes: ['webhooks:manage'] })).token,
    (await account.key({ type: 'bot' })).token,
  ];
  for (let made = 0; made < 3; made += 1) {
    const { id } = await account.webhook();
    await api.call('POST', `/api/v1/webhooks/${id}/test`, { token: key.token });
  }
  await api.call('POST', '/api/v1/conversations', { token: key.token, body: { subject: 'Hi' } });
});
afterAll(async () => {
  await listener.close();
  await ctx.dispose();
});

const routes = [...publicRoutes, ...dashboardRoutes];
const paths = routes.map((route) => route.path);

/** Bodies that are right for some route, so that what follows the first refusals is met too. */
const rightBodies = [
  { name: 'Hook', url: 'https://example.com/x', events: ['message.created'] },
  { name: 'Key', type: 'limited', scopes: ['webhooks:read'] },
  { subject: 'Where is my order?' },
  { author: 'agent', text: 'Here.' },
  { grace_period_seconds: 60 },
  { is_active: false },
  { reason: 'unused' },
  { is_active: true, backlog: 'deliver' },
  { type: 'message.created' },
  { since: '2026-11-19T12:00:00Z', status: 'all' },
  { since: '2026-11-19T12:00:00Z', status: 'failed', dry_run: true },
].map((body) => JSON.stringify(body));

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', '\u202e', 'ß'.repeat(300), "'; drop table api_keys; --"),
  fc.string({ minLength: 20_000, maxLength: 20_001 }),
);
const oddReference = fc.oneof(
  fc.constantFrom('1', '1', '2', '0', '-1', '1e3', '0x1', '01', '1.0', '9'.repeat(30)),
  fc.constantFrom('2147483648', '%00', '..', '%2e%2e', '%ff', 'null', 'undefined', '{webhook}'),
  fc.uuid(),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const fieldNames = [
  'name',
  'url',
  'events',
  'is_active',
  'type',
  'scopes',
  'expires_at',
  'allowed_cidrs',
  'grace_period_seconds',
  'expected_last_four',
  'reason',
  'subject',
  'contact',
  'author',
  'text',
  'email',
  'password',
  'backlog',
  'data',
  'since',
  'until',
  'status',
  'dry_run',
  '__proto__',
  'constructor',
];
const goodValues: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  'full',
  'limited',
  'Name',
  'https://example.com/x',
  ['message.created'],
  ['webhooks:read'],
  true,
  0,
  60,
  '2099-01-01T00:00:00Z',
  ['10.0.0.0/8'],
  'agent',
);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  goodValues,
  oddText,
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(null, true, [], {}, [[[[[[]]]]]], 1e308, -0),
  fc.array(oddText, { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constant(Array.from({ length: 5000 }, () => 'webhooks:read')),
);
const anyBody: fc.Arbitrary<string> = fc.oneof(
  fc
    .dictionary(fc.oneof(fc.constantFrom(...fieldNames), fc.string({ maxLength: 10 })), anyValue, {
      maxKeys: 6,
    })
    .map((body) => JSON.stringify(body)),
  anyValue.map((value) => JSON.stringify(value)),
  fc.constantFrom('', '{', '[', 'null', '{"a":1}{"b":2}', '\ufeff{}', 'name=x&type=full'),
  fc.constant(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  fc.constant(`{"name":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
);
const anyQuery = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'limit',
          'cursor',
          'status',
          'include',
          'type',
          'since',
          'after',
          'window',
          'x',
          '__proto__',
        ),
        fc.oneof(
          fc.constantFrom('1', '0', '-1', '1e9', 'NaN', 'open', 'state', 'failed', '7d'),
          oddText,
        ),
      ),
      { maxLength: 3 },
    )
    .map((pairs) =>
      pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
    ),
);
/** What an HTTP parser lets through as a header's value. */
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));
const anyHeaders = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/html',
    ),
    'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br'),
    Accept: fc.constantFrom('*/*', 'application/json', 'text/html'),
    'Idempotency-Key': headerText,
    'X-Request-Id': headerText,
    'X-Dashboard-Session': headerText,
    'X-Forwarded-For': headerText,
    'User-Agent': headerText,
  },
  { requiredKeys: [] },
);
const anyTarget = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
    path: fc
      .tuple(fc.constantFrom(...paths, '/api/v1', '/api/v1/{webhook}', '/api'), oddReference)
      .map(([path, reference]) => path.replaceAll(/\{\w+\}/g, reference)),
    headers: anyHeaders,
    body: anyBody,
  }),
  fc
    .record({ route: fc.constantFrom(...routes), reference: fc.integer({ min: 1, max: 40 }) })
    .chain(({ route, reference }) =>
      fc.record({
        method: fc.constant(route.method),
        path: fc.constant(route.path.replaceAll(/\{\w+\}/g, String(reference))),
        headers: fc.constant({}),
        body: fc.oneof(fc.constantFrom(...rightBodies, ''), anyBody),
      }),
    ),
);
const anyRequest = fc.record({
  target: anyTarget,
  query: anyQuery,
  caller: fc.constantFrom('key', 'key', 'key', 'key', 'dashboard', 'nonsense', 'nobody'),
  whichKey: fc.nat(4),
});

test(`${requests} requests of every kind, over a socket, get a documented answer, none of them 5xx`, async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const { query, target } = request;
      const { method, path, headers, body } = target;
      const takesBody = method !== 'GET' && method !== 'HEAD';
      const token = tokenOf(request);
      const url = query ? `${path}?${query}` : path;
      const isTooLong = url.length > longestUrl;
      const answer = await listener.ask({
        method,
        path: url,
        headers: {
          'Content-Type': 'application/json',
          ...headers,
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        body: takesBody && !isTooLong ? body : null,
      });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      expect(answer.status).toBeLessThan(500);
      if (isTooLong) {
        // Nothing of it is read, so it is not the API that answers.
        expect(answer).toMatchObject({ status: 431, text: '' });
        return;
      }
      expect(answer.headers.get('X-Request-Id')).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      if (method !== 'HEAD') expectDocumented(answer);
    }),
    { numRuns: requests, seed: 20_261_120, endOnFailure: true },
  );
  for (const status of [200, 201, 204, 401, 403, 404, 405, 415, 422]) {
    expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }
}, 300_000);

function tokenOf({ caller, whichKey }: { caller: string; whichKey: number }): string | undefined {
  if (caller === 'nobody') return undefined;
  if (caller === 'dashboard') return ctx.dashboardCredential;
  return caller === 'key' ? tokens[whichKey] : 'nonsense';
}

function expectDocumented({ status, body, text }: { status: number; body: unknown; text: string }) {
  if (status === 204) return expect(text).toBe('');
  if (status < 300) {
    const isOpenApi = typeof body === 'object' && body !== null && 'openapi' in body;
    return isOpenApi ? undefined : expect(body).toMatchObject({ success: true });
  }
  if (status === 401 && text === '{"message":"Unauthenticated."}') return undefined;
  const known = Object.entries(errorTable).find(([, error]) => error.status === status);
  if (!known) throw new Error(`${status} is not in the table of errors`);
  const [code, { message }] = known;
  expect(body).toMatchObject({ success: false, error: { code, message } });
  return expect(text).not.toMatch(/at .*\.ts:\d|node_modules|select .* from|postgres/i);
}
