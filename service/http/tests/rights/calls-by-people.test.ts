import { expect, test } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { useApi } from '../../../testing/use-api.ts';

const config = { rateLimitPerMinute: 50 };
const { ctx, api, account } = useApi({ config });

test('acts of a person are audited with their name and the address of their browser', async () => {
  ctx.clock.advance(60_000);
  await api.call('POST', '/api/v1/api-keys', {
    token: ctx.dashboardCredential,
    headers: {
      'X-Dashboard-Session': (await account.member('admin')).personId,
      'X-Dashboard-Account': account.id,
      'X-Dashboard-Client': '192.0.2.9 Firefox/140.0',
    },
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

test('the rate limit counts for each person', async () => {
  const call = async (role: Role) =>
    await api.as(await account.member(role)).get('/api/v1/webhooks');
  ctx.clock.advance(60_000);
  for (let calls = 0; calls < 50; calls += 1) await call('viewer');
  expect((await call('viewer')).status).toBe(429);
  expect((await call('support')).status).toBe(200);
});

test('calls for an account that is not theirs count against that limit too', async () => {
  const viewer = await account.member('viewer');
  const call = async (accountId: string) =>
    (await api.as({ ...viewer, pageOf: accountId }).get('/api/v1/webhooks')).status;
  ctx.clock.advance(60_000);
  for (let calls = 0; calls < 50; calls += 1) {
    expect(await call(crypto.randomUUID())).toBe(404);
  }
  expect(await call(crypto.randomUUID())).toBe(429);
  expect(await call(account.id)).toBe(429);
});
