import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { dataOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

/**
 * The documented operations, compared with the text of the specification: statuses, bodies and
 * messages are typed here from its text and are not taken from the code.
 */
const { ctx, api, account, caller } = useApi();

const unauthorized = {
  success: false,
  error: { code: 'UNAUTHORIZED', message: 'Invalid or revoked API key' },
};
const forbidden = {
  success: false,
  error: {
    code: 'FORBIDDEN',
    message: 'You do not have permission to access this resource.',
  },
};
const notFound = {
  success: false,
  error: { code: 'NOT_FOUND', message: 'The requested resource was not found.' },
};

describe('4.1 List webhooks: GET /api/v1/webhooks', () => {
  test('responds with 200, success and data, each item with exactly the nine documented fields', async () => {
    const own = await api.account();
    const key = await own.key();
    await createWebhook(key.token);
    const response = await key.get('/api/v1/webhooks');

    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.body).toEqual({
      success: true,
      data: [
        {
          id: expect.any(Number),
          uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          name: 'Order notifier',
          url: 'https://orders.example.com/webhooks',
          events: ['message.created'],
          is_active: true,
          failure_count: 0,
          last_triggered_at: null,
          created_at: expect.stringMatching(
            /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2}$/,
          ),
        },
      ],
    });
  });

  test('returns an empty array for an empty list', async () => {
    const own = await api.account();
    const response = await api.call('GET', '/api/v1/webhooks', { token: (await own.key()).token });
    expect(response.body).toEqual({ success: true, data: [] });
  });
});

describe('4.2 Delete a webhook: DELETE /api/v1/webhooks/{webhook}', () => {
  test('responds without a body, and the webhook is gone', async () => {
    const webhook = await createWebhook(caller.token);
    const response = await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    const again = await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    expect(again.status).toBe(404);
    expect(again.body).toEqual(notFound);
  });

  test('accepts the UUID as well', async () => {
    const webhook = await createWebhook(caller.token);
    expect((await caller.delete(`/api/v1/webhooks/${webhook.uuid}`)).status).toBe(204);
  });
});

describe('4.3 Regenerate a signing secret: POST /api/v1/webhooks/{webhook}/regenerate-secret', () => {
  test('responds with 201 and a secret that begins with whsec_ and a message to save it now', async () => {
    const webhook = await createWebhook(caller.token);
    const response = await regenerate(webhook.id);
    expect(response.status).toBe(201);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.body).toEqual({
      success: true,
      data: {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        message: expect.stringMatching(/^Save this secret now/),
      },
    });
  });

  test('gives another secret each time and shows it nowhere else', async () => {
    const webhook = await createWebhook(caller.token);
    const first = secretOf(await regenerate(webhook.id));
    const second = secretOf(await regenerate(webhook.id));
    expect(second).not.toBe(first);
    for (const path of ['/api/v1/webhooks', `/api/v1/webhooks/${webhook.id}`]) {
      expect((await caller.get(path)).text).not.toContain('whsec_');
    }
  });

  test('responds with 404 for a webhook that does not exist', async () => {
    const response = await regenerate(2_000_000_000);
    expect(response.status).toBe(404);
    expect(response.body).toEqual(notFound);
  });

  test('responds with 422 and messages by field when input fails validation', async () => {
    const webhook = await createWebhook(caller.token);
    const response = await caller.post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`, {
      grace_period_seconds: -1,
    });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The given data was invalid.',
        details: { grace_period_seconds: [expect.any(String)] },
      },
    });
  });

  async function regenerate(id: number) {
    return await caller.post(`/api/v1/webhooks/${id}/regenerate-secret`);
  }
});

describe('4.4 Rotate an API key: POST /api/v1/api-keys/{apiKey}/rotate', () => {
  test('responds with a token that begins with sk_live_ and a message', async () => {
    const key = await account.key();
    const response = await caller.post(`/api/v1/api-keys/${key.id}/rotate`);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        token: expect.stringMatching(/^sk_live_[0-9A-Za-z]+$/),
        message: expect.stringContaining('24 hours'),
      },
    });
  });

  test('the new token opens the API at once, and the old one for 24 hours more', async () => {
    const key = await account.key();
    const response = await caller.post(`/api/v1/api-keys/${key.uuid}/rotate`);
    const fresh = dataOf<{ token: string }>(response).token;
    expect(fresh).not.toBe(key.token);
    expect((await list(fresh)).status).toBe(200);
    expect((await list(key.token)).status).toBe(200);

    ctx.clock.advance(dayMs - 1000);
    expect((await list(key.token)).status).toBe(200);
    ctx.clock.advance(1000);
    expect((await list(key.token)).body).toEqual(unauthorized);
    expect((await list(fresh)).status).toBe(200);
  });

  test('responds with 404 for a key that does not exist', async () => {
    const response = await caller.post('/api/v1/api-keys/2000000000/rotate');
    expect(response.status).toBe(404);
    expect(response.body).toEqual(notFound);
  });

  test('responds with 422 and messages by field when input fails validation', async () => {
    const key = await account.key();
    const response = await caller.post(`/api/v1/api-keys/${key.id}/rotate`, {
      grace_period_seconds: 604_801,
    });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error: { details: { grace_period_seconds: [expect.any(String)] } },
    });
  });
});

describe('4.5 Conversations list: GET /api/v1/conversations', () => {
  test('can be read with a valid key', async () => {
    const response = await caller.get('/api/v1/conversations');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ success: true, data: [] });
  });
});

describe('5 Authentication', () => {
  const operations = [
    ['GET', '/api/v1/webhooks'],
    ['DELETE', '/api/v1/webhooks/1'],
    ['POST', '/api/v1/webhooks/1/regenerate-secret'],
    ['POST', '/api/v1/api-keys/1/rotate'],
    ['GET', '/api/v1/conversations'],
  ] as const;

  test.each(operations)('%s %s without a key: 401 "Unauthenticated."', async (method, path) => {
    for (const headers of [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: 'Basic dXNlcjpwYXNz' },
    ]) {
      const response = await api.call(method, path, { headers });
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ message: 'Unauthenticated.' });
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
      ctx.clock.advance(10_000);
    }
  });

  test.each(operations)('%s %s with an invalid key: 401 UNAUTHORIZED', async (method, path) => {
    const madeUp = `sk_live_${'0'.repeat(38)}`;
    for (const invalid of ['nonsense', madeUp]) {
      const response = await api.call(method, path, { token: invalid });
      expect(response.status).toBe(401);
      expect(response.body).toEqual(unauthorized);
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
      ctx.clock.advance(10_000);
    }
  });

  test('a key is never read from the query string or a cookie', async () => {
    const inQuery = await api.call(
      'GET',
      `/api/v1/webhooks?api_key=${caller.token}&token=${caller.token}`,
    );
    expect(inQuery.body).toEqual({ message: 'Unauthenticated.' });
    const inCookie = await api.call('GET', '/api/v1/webhooks', {
      headers: { Cookie: `session=${caller.token}; token=${caller.token}` },
    });
    expect(inCookie.body).toEqual({ message: 'Unauthenticated.' });
  });

  test.each([
    ['GET', '/api/v1/webhooks', 'webhooks:manage'],
    ['DELETE', '/api/v1/webhooks/2000000000', 'webhooks:manage'],
    ['POST', '/api/v1/webhooks/2000000000/regenerate-secret', 'webhooks:manage'],
    ['POST', '/api/v1/api-keys/2000000000/rotate', 'api-keys:manage'],
  ] as const)('%s %s needs the scope %s: else 403 FORBIDDEN', async (method, path, scope) => {
    const without = await account.key({ scopes: ['messages:write'] });
    const refused = await api.call(method, path, { token: without.token });
    expect(refused.status).toBe(403);
    // What the error says beyond that is described in `refusal-reasons.test.ts`.
    expect(refused.body).toMatchObject(forbidden);
    const holding = await account.key({ scopes: [scope] });
    expect((await api.call(method, path, { token: holding.token })).status).not.toBe(403);
  });

  test('a webhook key is limited to webhook scopes, a bot key to bot scopes', async () => {
    const webhookKey = await account.key({ type: 'webhook' });
    const botKey = await account.key({ type: 'bot' });
    expect((await list(webhookKey.token)).status).toBe(200);
    expect((await list(botKey.token)).status).toBe(403);
    const conversations = (holder: string) =>
      api.call('GET', '/api/v1/conversations', { token: holder });
    expect((await conversations(botKey.token)).status).toBe(200);
    expect((await conversations(webhookKey.token)).status).toBe(403);
  });
});

describe('7 and 8 Rate limit', () => {
  test('beyond the limit: 429 RATE_LIMIT_EXCEEDED with the seconds to wait', async () => {
    const key = await account.key();
    let response = await list(key.token);
    for (let calls = 1; calls <= 600; calls += 1) response = await list(key.token);
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({
      success: false,
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'Too many requests. Please slow down.',
        retry_after: expect.any(Number),
      },
    });
    const { retry_after } = (response.body as { error: { retry_after: number } }).error;
    expect(Number.isInteger(retry_after)).toBe(true);
    expect(retry_after).toBeGreaterThanOrEqual(1);
    expect(retry_after).toBeLessThanOrEqual(60);
    expect(response.headers.get('Retry-After')).toBe(String(retry_after));

    ctx.clock.advance(60_000);
    expect((await list(key.token)).status).toBe(200);
  });
});

describe('requests with an empty body, whatever their content type says', () => {
  test.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain', ''])(
    'are accepted as %j on rotate, regenerate and delete',
    async (type) => {
      const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
      const webhook = await createWebhook(caller.token);
      const key = await account.key();
      const post = (path: string) => caller.post(path, '', headers);
      expect((await post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`)).status).toBe(201);
      expect((await post(`/api/v1/api-keys/${key.id}/rotate`)).status).toBe(201);
      const deletion = await caller.delete(`/api/v1/webhooks/${webhook.id}`, undefined, headers);
      expect(deletion.status).toBe(204);
    },
  );
});

async function list(holder: string) {
  return await api.call('GET', '/api/v1/webhooks', { token: holder });
}

async function createWebhook(holder: string): Promise<{ id: number; uuid: string }> {
  const response = await api.call('POST', '/api/v1/webhooks', {
    token: holder,
    body: {
      name: 'Order notifier',
      url: 'https://orders.example.com/webhooks',
      events: ['message.created'],
    },
  });
  return dataOf<{ id: number; uuid: string }>(response);
}

function secretOf(response: { body: unknown }): string {
  return dataOf<{ secret: string }>(response).secret;
}
