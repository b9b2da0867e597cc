import { describe, expect, test } from 'vitest';
import type { ErrorReason } from '#lib/contract/error-reasons.ts';
import type { ApiResponse, TestClient } from '../../testing/api.ts';
import type { ContextOptions } from '../../testing/context.ts';
import { useApi } from '../../testing/use-api.ts';

type Calls = Record<'key' | 'stranger', TestClient>;

const publicUrl = new URL('https://keys.example.com');
const webhooks = '/api/v1/webhooks';
const apiKeys = '/api/v1/api-keys';

const { api, account, caller, viewer } = useApi({
  config: { publicUrl, maxWebhooks: 1 },
});

const usual = 'You do not have permission to access this resource.';
const bot = { name: 'Bot', type: 'bot' };
const hook = { name: 'Hook', url: 'https://example.com/', events: ['message.created'] };

/** What a refusal says beyond its code and message. */
function reasonOf({ body }: ApiResponse): Record<string, unknown> {
  const { error } = body as { error: Record<string, unknown> };
  const { code: _code, message: _message, details: _details, ...reason } = error;
  return reason;
}

const explained = (reason: ErrorReason) => ({
  reason,
  doc_url: `https://keys.example.com/docs/errors/${reason}`,
});

describe('a 403 of an API key keeps its code and message, and says why', () => {
  test('scope: names the scope that the operation requires, in the body and for RFC 6750', async () => {
    const reader = await account.key({ scopes: ['webhooks:read'] });
    const refused = await reader.post('/api/v1/webhooks', hook);
    expect(refused.body).toEqual({
      success: false,
      error: {
        code: 'FORBIDDEN',
        message: usual,
        required_scope: 'webhooks:manage',
        ...explained('scope'),
      },
    });
    expect(refused.headers.get('WWW-Authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="webhooks:manage"',
    );
  });

  test('any other reason does not name a scope', async () => {
    const office = await account.key({ allowedCidrs: ['192.0.2.0/24'] });
    const key = await account.key();
    const limited = await account.key({ scopes: ['api-keys:manage'] });
    const replaced = await account.key();
    await caller.post(`/api/v1/api-keys/${replaced.id}/rotate`, { grace_period_seconds: 3600 });
    const refusals = {
      network: await office.get('/api/v1/webhooks'),
      old_token: await replaced.post('/api/v1/api-keys', bot),
      own_limits: await limited.post('/api/v1/api-keys', bot),
      self_rotation: await key.post('/api/v1/api-key/rotate', {}),
      people_only: await caller.get('/api/dashboard/members'),
    };
    for (const [reason, refused] of Object.entries(refusals)) {
      expect([refused.status, reasonOf(refused)], reason).toEqual([
        403,
        explained(reason as keyof typeof refusals),
      ]);
      expect(refused.body).toMatchObject({ error: { code: 'FORBIDDEN', message: usual } });
      expect(refused.headers.has('WWW-Authenticate')).toBe(false);
    }
  });
});

test('a 403 of a person says that their role is the reason', async () => {
  const session = await viewer.call('POST', '/api/v1/api-keys', { body: bot });
  expect(reasonOf(session)).toEqual(explained('role'));
});

describe('a 422 says', () => {
  test('whether the input, the idempotency key or a quota is the reason', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    await api.call('POST', '/api/v1/webhooks', { token: caller.token, headers, body: hook });
    const other = { ...hook, name: 'Other' };
    const refusals = {
      invalid_input: await caller.post('/api/v1/webhooks', { ...hook, url: 'ftp://example.com' }),
      idempotency_key: await api.call('POST', '/api/v1/webhooks', {
        token: caller.token,
        headers,
        body: other,
      }),
      quota: await caller.post('/api/v1/webhooks', other),
    };
    for (const [reason, refused] of Object.entries(refusals)) {
      expect([refused.status, reasonOf(refused)], reason).toEqual([
        422,
        explained(reason as keyof typeof refusals),
      ]);
    }
  });
});

test('a 429 says which limit was reached', async () => {
  const busy = await account.key();
  await caller.patch(`/api/v1/api-keys/${busy.id}`, { rate_limit_per_minute: 1 });
  await busy.get('/api/v1/api-key');
  const refused = await busy.get('/api/v1/api-key');
  expect([refused.status, reasonOf(refused)]).toEqual([
    429,
    { retry_after: expect.any(Number) as number, ...explained('key_limit') },
  ]);
});

describe.each<[ErrorReason, ContextOptions['config'], (calls: Calls) => Promise<ApiResponse>]>([
  ['account_limit', { accountRateLimitPerMinute: 2 }, async ({ key }) => await key.get(webhooks)],
  ['creation_limit', { creationsPerHour: 2 }, async ({ key }) => await key.post(apiKeys, bot)],
  [
    'authentication_limit',
    { failedAuthPerMinute: 2 },
    async ({ stranger }) => await stranger.get(webhooks),
  ],
])('a 429 because of the %s', (reason, limit, call) => {
  const fixture = useApi({ config: { publicUrl, ...limit } });
  const { caller: key } = fixture;

  test('names it', async () => {
    const calls = { key, stranger: fixture.api.as(`sk_live_${'a'.repeat(38)}`) };
    for (let made = 0; made < 2; made += 1) await call(calls);
    const refused = await call(calls);
    expect([refused.status, reasonOf(refused)]).toEqual([
      429,
      { retry_after: expect.any(Number) as number, ...explained(reason) },
    ]);
  });
});

test('a 401 and a 404 say nothing more than the specification', async () => {
  const missing = await api.call('GET', '/api/v1/webhooks');
  expect(missing.text).toBe('{"message":"Unauthenticated."}');
  const invalid = await api.call('GET', '/api/v1/webhooks', { token: 'sk_live_nonsense' });
  expect(invalid.text).toBe(
    '{"success":false,"error":{"code":"UNAUTHORIZED","message":"Invalid or revoked API key"}}',
  );
  const unknown = await caller.delete(`/api/v1/webhooks/${crypto.randomUUID()}`);
  expect(unknown.text).toBe(
    '{"success":false,"error":{"code":"NOT_FOUND","message":"The requested resource was not found."}}',
  );
});
