import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dataOf, itemsOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api } = useApi();

test('every change of keys and webhooks is in the log, newest first, with its actor', async () => {
  const account = await api.account();
  const { token, uuid } = await account.key();
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, {
      token,
      body,
      headers: { 'User-Agent': 'curl/8', 'X-Request-Id': 'r-1' },
    });
  const made = (response: { body: unknown }) => dataOf(response).id;

  const key = made(await call('POST', '/api/v1/api-keys', { name: 'Bot', type: 'bot' }));
  await call('PATCH', `/api/v1/api-keys/${key}`, {
    name: 'Greeter',
    expires_at: '2027-01-01T00:00:00Z',
  });
  await call('POST', `/api/v1/api-keys/${key}/rotate`);
  await call('DELETE', `/api/v1/api-keys/${key}/previous-token`);
  await call('DELETE', `/api/v1/api-keys/${key}`, { reason: 'unused' });
  const hook = made(
    await call('POST', '/api/v1/webhooks', {
      name: 'Hook',
      url: 'https://example.com/',
      events: ['message.created'],
    }),
  );
  await call('PATCH', `/api/v1/webhooks/${hook}`, { is_active: false });
  await call('POST', `/api/v1/webhooks/${hook}/regenerate-secret`);
  await call('DELETE', `/api/v1/webhooks/${hook}`);

  const log = await call('GET', '/api/v1/audit-log');
  const entries = itemsOf<Record<string, unknown>>(log);
  expect(entries.map(({ action }) => action)).toEqual([
    'webhook.deleted',
    'webhook.secret_generated',
    'webhook.updated',
    'webhook.created',
    'api_key.revoked',
    'api_key.previous_token_ended',
    'api_key.rotated',
    'api_key.updated',
    'api_key.created',
    'api_key.created',
  ]);
  expect(entries[0]).toEqual({
    id: expect.any(Number),
    at: expect.any(String),
    actor: { kind: 'api_key', id: uuid, name: 'Production server' },
    action: 'webhook.deleted',
    target: { kind: 'webhook', id: expect.any(String), name: 'Hook' },
    // What it takes to create it again.
    changes: { url: 'https://example.com/', events: ['message.created'], is_active: false },
    ip: '203.0.113.7',
    user_agent: 'curl/8',
    request_id: 'r-1',
    is_chained: true,
  });
  // With the names and the time format of the API.
  expect(entries[2]?.['changes']).toEqual({ is_active: { from: true, to: false } });
  expect(entries[7]?.['changes']).toEqual({
    name: { from: 'Bot', to: 'Greeter' },
    expires_at: { from: null, to: '2027-01-01T00:00:00.000+00:00' },
  });
  expect(log.text).not.toMatch(/sk_live_|whsec_/);
});

test('the database refuses to change or remove an entry', async () => {
  await (await api.account()).key();
  for (const statement of [
    sql`update audit_entries set action = 'nothing'`,
    sql`delete from audit_entries`,
    sql`truncate audit_entries`,
  ]) {
    await expect(ctx.db.execute(statement)).rejects.toMatchObject({
      cause: { message: 'audit entries are append-only' },
    });
  }
});
