import { expect, test } from 'vitest';
import { useApi } from '../testing/use-api.ts';

const { ctx, api } = useApi();

test.each([
  ['that is allowed', 'full', 200],
  ['that is refused', 'bot', 403],
] as const)(
  'a call %s leaves one line in the log: who, what, from where, and the status',
  async (_, type, status) => {
    const account = await api.account();
    const { id, token } = await account.key({ type });
    const response = await api.call('GET', '/api/v1/audit-log', {
      token,
      headers: { 'X-Request-Id': `call-${type}` },
    });
    expect(response.status).toBe(status);
    const lines = ctx.logged.filter((line) => line['request_id'] === `call-${type}`);
    expect(lines).toMatchObject([
      {
        msg: 'request',
        method: 'GET',
        route: 'listAuditEntries',
        status,
        duration_ms: expect.any(Number),
        ip: '203.0.113.7',
        account_id: account.id,
        actor: `key:${id}`,
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain(token);
  },
);

test('a call for an account that is not the caller’s logs a line that names the caller', async () => {
  const owner = await (await api.account()).member('owner');
  const { id } = await api.account();
  await api.as({ ...owner, pageOf: id }).get('/api/v1/webhooks');
  expect(ctx.logged.at(-1)).toMatchObject({
    msg: 'request',
    status: 404,
    account_id: null,
    actor: `person:${owner.personId}`,
  });
});

test('a request ID that is a token is neither logged nor returned', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'full' });
  const response = await api.call('GET', '/api/v1/webhooks', {
    token,
    headers: { 'X-Request-Id': token },
  });
  expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(ctx.logged.at(-1))).not.toContain(token.slice(8));
});

test.each(['token', 'signing secret'])(
  'a %s in the User-Agent is stored neither with the token nor in the audit log',
  async (kind) => {
    const account = await api.account();
    const { token } = await account.key({ type: 'full' });
    const secret = kind === 'token' ? token : `whsec_${'a'.repeat(43)}=`;
    await api.call('POST', '/api/v1/api-keys', {
      token,
      headers: { 'User-Agent': `client/1 ${secret}` },
      body: { name: 'Bot', type: 'bot' },
    });
    await ctx.usage.flush();
    const [log, keys] = [
      await api.call('GET', '/api/v1/audit-log', { token }),
      await api.call('GET', '/api/v1/api-keys', { token }),
    ];
    expect(log.text).toContain('client/1');
    expect(log.text + keys.text).not.toContain(secret);
  },
);

test('a token in the User-Agent of a browser is not stored in the audit log', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'full' });
  const owner = await account.member('owner');
  await api
    .as({ ...owner, pageOf: account.id })
    .patch(
      '/api/dashboard/account',
      { name: 'Renamed' },
      { 'X-Dashboard-Client': `203.0.113.9 Browser/1 ${token}` },
    );
  const log = await api.call('GET', '/api/v1/audit-log', { token });
  expect(log.text).toContain('Browser/1');
  expect(log.text).not.toContain(token);
});
