import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { SupportTokens } from '#lib/contract/api-keys/support-tokens.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { dataOf, detailsOf, TestApi } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../../testing/records/deliveries.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account } = useApi({ accountFor: 'test' });

async function call(
  role: Role,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  return await api.as(await account.member(role)).call(method, path, { body });
}

async function set(body: unknown, role: Role = 'owner'): Promise<ApiResponse> {
  return await call(role, 'PATCH', '/api/dashboard/account', { support: body });
}

async function rotate(scopes: Scope[] | null, body: unknown = {}): Promise<ApiResponse> {
  const { id } = await account.key(scopes ? { scopes } : {});
  return await call('support', 'POST', `/api/v1/api-keys/${id}/rotate`, body);
}

describe('what support can be shown in an account', () => {
  test('is nothing stronger than the role until an owner changes that, and is visible to every member', async () => {
    const support = { tokens: 'webhook_and_bot', payloads: true, error_texts: true };
    const response = await set(support);
    expect([response.status, dataOf(response)['support']]).toEqual([200, support]);
    const { account: shown } = dataOf(await call('viewer', 'GET', '/api/dashboard/session'));
    expect(shown).toMatchObject({ support });
  });

  test('is audited once, with its previous value', async () => {
    await set({ tokens: 'webhook_and_bot' });
    await set({ tokens: 'webhook_and_bot' });
    await set({ payloads: true, error_texts: true });
    const entries = await ctx.db
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.accountId, account.id),
          eq(auditEntries.action, 'account.support_access_changed'),
        ),
      )
      .orderBy(auditEntries.id);
    const owner = await account.member('owner');
    expect(entries).toMatchObject([
      {
        actor: { kind: 'person', id: owner.personId },
        target: { kind: 'account', id: account.id, name: 'Marlow & Finch' },
        changes: {
          before: { tokens: 'within_role', payloads: false, error_texts: false },
          after: { tokens: 'webhook_and_bot', payloads: false, error_texts: false },
        },
      },
      { changes: { after: { tokens: 'webhook_and_bot', payloads: true, error_texts: true } } },
    ]);
  });

  test('refuses what it does not know', async () => {
    expect(detailsOf(await set({ tokens: 'everything' }))).toEqual({
      support: ['Choose what support can be shown.'],
    });
    expect(detailsOf(await set({ payloads: 'yes' }))).toHaveProperty('support');
    expect(detailsOf(await set({}))).toHaveProperty('support');
  });
});

describe('support rotates by itself', () => {
  test.each([
    // `ceiling.test.ts` has what each setting allows.
    ['within_role', false, ['events:read'], 403],
    ['within_role', true, ['events:read'], 201],
    ['webhook_and_bot', false, ['webhooks:read', 'messages:write'], 201],
    ['webhook_and_bot', true, ['audit-log:read'], 403],
    ['all_but_management', false, ['audit-log:read', 'conversations:write'], 201],
    ['all_but_management', true, null, 403],
  ] as [SupportTokens, boolean, Scope[] | null, number][])(
    'with %s and payloads %s a key of %j: %i',
    async (tokens, payloads, scopes, status) => {
      await set({ tokens, payloads });
      const response = await rotate(scopes);
      expect(response.status).toBe(status);
      if (status === 403) expect(response.text).toContain('Request a rotation instead');
    },
  );

  test('support cannot end a token that works, by any route', async () => {
    const { id } = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${id}`;
    for (const seconds of [0, 1, 3599]) {
      const response = await call('support', 'POST', `${path}/rotate`, {
        grace_period_seconds: seconds,
      });
      expect(response.status).toBe(403);
      expect(response.text).toContain('must stay valid for 1 hour at least');
    }
    expect((await call('support', 'POST', `${path}/rotate`)).status).toBe(201);
    const { tokens } = dataOf(await call('support', 'GET', path));
    const older = (tokens as { id: number }[])[1]?.id;
    for (const end of [`${path}/tokens/${older}`, `${path}/previous-token`]) {
      const response = await call('support', 'DELETE', end);
      expect(response.status).toBe(403);
      expect(response.text).toContain('Your role cannot end a token that still works.');
    }
    expect(dataOf(await call('support', 'GET', path))['tokens']).toHaveLength(2);
  });

  test('support cannot end a valid token by a rotation with a default grace period of less than an hour', async () => {
    const short = { ...ctx, config: { ...ctx.config, rotationGraceSeconds: 60 } };
    const { id } = await account.key({ scopes: ['webhooks:read'] });
    const support = await account.member('support');
    const path = `/api/v1/api-keys/${id}/rotate`;
    expect((await new TestApi(short).as(support).post(path)).status).toBe(403);
  });

  test('support cannot end a token that another member was shown and has not used, but can replace its own', async () => {
    const { id } = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${id}/rotate`;
    expect((await call('support', 'POST', path)).status).toBe(201);
    expect((await call('support', 'POST', path)).status).toBe(201);
    const response = await call('owner', 'POST', path);
    const token = String(dataOf(response)['token']);
    const refused = await call('support', 'POST', path);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`ending in ${token.slice(-4)}, was shown to Ida owner`);
    expect((await api.call('GET', '/api/v1/api-key', { token })).status).toBe(200);
    expect((await call('support', 'POST', path)).status).toBe(201);
  });
});

test('support reads payloads where an owner lets it', async () => {
  const { token } = await account.key();
  await account.webhook();
  const body = { subject: 'A private word' };
  await api.call('POST', '/api/v1/conversations', { token, body });
  const read = async () => (await call('support', 'GET', '/api/v1/events')).text;
  expect(await read()).not.toContain('A private word');
  await set({ payloads: true });
  expect(await read()).toContain('A private word');
  expect((await call('support', 'GET', '/api/v1/conversations')).status).toBe(200);
  await set({ payloads: false });
  expect((await call('support', 'GET', '/api/v1/conversations')).status).toBe(403);
});

describe('what a receiver wrote', () => {
  const answer = 'Order of Ada Byron: no such customer';

  /** The attempt of a delivery, and the failure in the statistics of its webhook. */
  async function read(role: Role, type: 'message.created' | 'webhook.failing' = 'message.created') {
    const webhook = await account.webhook();
    const event = await addEvent(ctx, account.id, { type });
    const delivery = await addDelivery(ctx, event, { webhookId: webhook.id });
    await addAttempt(ctx, delivery, {
      statusCode: 400,
      responseHeaders: { 'content-type': 'text/html', server: 'shop-of-ada-byron' },
      responseBody: answer,
    });
    const shown = dataOf(await call(role, 'GET', `/api/v1/deliveries/${delivery.id}`));
    const [attempt] = shown['attempts'] as [
      { request: { body: string | null }; response: unknown },
    ];
    const path = `/api/v1/webhooks/${webhook.id}/statistics`;
    const { last_failure: failure } = dataOf<{ last_failure: { body_excerpt: string | null } }>(
      await call(role, 'GET', path),
    );
    return {
      response: attempt.response,
      excerpt: failure.body_excerpt,
      sent: attempt.request.body,
    };
  }

  const hidden = {
    response: {
      headers: { 'content-type': 'text/html' },
      body: null,
      body_bytes: answer.length,
      truncated: false,
    },
    excerpt: null,
  };
  const shown = {
    response: {
      headers: { 'content-type': 'text/html', server: 'shop-of-ada-byron' },
      body: answer,
      body_bytes: answer.length,
      truncated: false,
    },
    excerpt: answer,
  };

  test.each(['support', 'viewer'] as const)(
    'is shown to %s as its status, content type and size, also where the payload is shown',
    async (role) => {
      expect(await read(role)).toEqual({ ...hidden, sent: null });
      expect(await read(role, 'webhook.failing')).toEqual({
        ...hidden,
        sent: expect.any(String),
      });
    },
  );

  test('is shown to support where an owner lets it, without the payload', async () => {
    expect((await set({ error_texts: true })).status).toBe(200);
    expect(await read('support')).toEqual({ ...shown, sent: null });
    expect(await read('viewer')).toEqual({ ...hidden, sent: null });
  });

  test('is shown to those who may read payloads', async () => {
    expect(await read('admin')).toEqual({ ...shown, sent: expect.any(String) });
    await set({ payloads: true });
    expect(await read('support')).toEqual({ ...shown, sent: expect.any(String) });
  });

  test('lets support be shown no more tokens', async () => {
    await set({ error_texts: true });
    expect((await rotate(['events:read'])).status).toBe(403);
  });
});
