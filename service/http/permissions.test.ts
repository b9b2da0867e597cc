import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import { roles } from '#lib/contract/roles.ts';
import { TestApi } from '../testing/api.ts';
import type { TestAccount } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';

/** What each role may do through the dashboard, typed here by hand. */
const rights: [string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, unknown, Role[]][] = [
  ['see keys', 'GET', '/api/v1/api-keys', undefined, ['owner', 'admin', 'support', 'viewer']],
  ['create a key', 'POST', '/api/v1/api-keys', { name: 'New', type: 'bot' }, ['owner', 'admin']],
  ['rotate a key', 'POST', '/api/v1/api-keys/{bot}/rotate', {}, ['owner', 'admin', 'support']],
  ['rotate a full key', 'POST', '/api/v1/api-keys/{full}/rotate', {}, ['owner', 'admin']],
  ['see webhooks', 'GET', '/api/v1/webhooks', undefined, ['owner', 'admin', 'support', 'viewer']],
  [
    'create a webhook',
    'POST',
    '/api/v1/webhooks',
    { name: 'Hook', url: 'https://example.com/', events: ['message.created'] },
    ['owner', 'admin'],
  ],
  ['change a webhook', 'PATCH', '/api/v1/webhooks/{webhook}', { name: 'B' }, ['owner', 'admin']],
  [
    'regenerate a secret',
    'POST',
    '/api/v1/webhooks/{webhook}/regenerate-secret',
    {},
    ['owner', 'admin', 'support'],
  ],
  ['read conversations', 'GET', '/api/v1/conversations', undefined, ['owner', 'admin']],
  ['delete a webhook', 'DELETE', '/api/v1/webhooks/{webhook}', undefined, ['owner', 'admin']],
  ['use the key of nobody', 'GET', '/api/v1/api-key', undefined, []],
];

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  ctx = await createTestContext({ config: { rateLimitPerMinute: 50 } });
  api = new TestApi({ ...ctx, auth: { ...ctx.auth, session: sessionNamedByRole } });
  account = await api.account();
  for (const role of roles) await account.member(role);
});
afterAll(() => ctx.dispose());

describe.each(rights)('to %s', (_what, method, path, body, allowed) => {
  test.each(roles)('as %s is decided by the service', async (role) => {
    const answer = await api.call(method, await fillIn(path), {
      token: ctx.dashboardCredential,
      headers: { 'X-Dashboard-Session': role, 'X-Dashboard-Client': '192.0.2.9 Firefox' },
      ...(body !== undefined && { body }),
    });
    expect(answer.status === 403 ? 'refused' : 'allowed').toBe(
      allowed.includes(role) ? 'allowed' : 'refused',
    );
    if (allowed.includes(role)) expect(answer.status).toBeLessThan(300);
  });
});

test('what a person does is audited with their name and the address of their browser', async () => {
  await api.call('POST', '/api/v1/api-keys', {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Session': 'admin', 'X-Dashboard-Client': '192.0.2.9 Firefox/140.0' },
    body: { name: 'Audited', type: 'bot' },
  });
  const entries = await ctx.db.query.auditEntries.findMany();
  expect(entries.find(({ target }) => target.name === 'Audited')).toMatchObject({
    accountId: account.id,
    action: 'api_key.created',
    actor: { kind: 'person', name: 'Ida admin' },
    ip: '192.0.2.9',
    userAgent: 'Firefox/140.0',
  });
});

test('the limit of calls counts per person', async () => {
  const call = (role: Role) =>
    api.call('GET', '/api/v1/webhooks', {
      token: ctx.dashboardCredential,
      headers: { 'X-Dashboard-Session': role },
    });
  ctx.clock.advance(60_000);
  for (let calls = 0; calls < 50; calls += 1) await call('viewer');
  expect((await call('viewer')).status).toBe(429);
  expect((await call('support')).status).toBe(200);
});

/** A session whose token is a role: that member of the account. */
async function sessionNamedByRole(token: string) {
  const member = await account.member(token as Role);
  return {
    sessionId: token,
    personId: member.personId,
    personName: member.personName,
    email: member.email,
    createdAt: ctx.clock.now(),
    expiresAt: new Date(ctx.clock.now().getTime() + 3_600_000),
  };
}

async function fillIn(path: string): Promise<string> {
  const owner = await account.key();
  if (path.includes('{full}')) return path.replace('{full}', String(owner.id));
  if (path.includes('{bot}')) {
    return path.replace('{bot}', String((await account.key({ type: 'bot' })).id));
  }
  if (!path.includes('{webhook}')) return path;
  const made = await api.call('POST', '/api/v1/webhooks', {
    token: owner.token,
    body: { name: 'Hook', url: 'https://example.com/', events: ['message.created'] },
  });
  return path.replace('{webhook}', String((made.body as { data: { id: number } }).data.id));
}
