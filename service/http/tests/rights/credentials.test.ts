import { describe, expect, test } from 'vitest';
import { allRoutes } from '#lib/contract/routes.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addPerson } from '../../../testing/records/people.ts';
import { withSessionsById } from '../../../testing/sessions.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();

describe('who calls', () => {
  test.each(['token', 'api_key', 'authorization', 'Authorization', 'key', 'session_token'])(
    'is never read from the field %s of a body or a query',
    async (field) => {
      const missing = { message: 'Unauthenticated.' };
      for (const value of [caller.token, `Bearer ${caller.token}`]) {
        const body = { name: 'Hook', url: 'https://example.com/', events: [], [field]: value };
        const posted = await api.call('POST', '/api/v1/webhooks', { body });
        expect(posted.status).toBe(401);
        expect(posted.body).toEqual(missing);
        const query = new URLSearchParams({ [field]: value });
        expect((await api.call('GET', `/api/v1/webhooks?${query}`)).body).toEqual(missing);
      }
    },
  );
});

test('a token in its grace period does not rotate its key, no matter what else is wrong', async () => {
  const { id, token } = await account.key({ mayRotateItself: true });
  await caller.post(`/api/v1/api-keys/${id}/rotate`);
  expect((await api.as(token).post('/api/v1/api-key/rotate', { unknown: 1 })).status).toBe(403);
  expect((await api.as(token).get('/api/v1/api-keys')).status).toBe(200);
});

describe('a cached token', () => {
  test('is refused from the moment its key expires', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + 2000).toISOString();
    const key = await account.key({ expiresAt });
    expect((await me(key.token)).status).toBe(200);
    ctx.clock.advance(1999);
    expect((await me(key.token)).status).toBe(200);
    ctx.clock.advance(1);
    expect((await me(key.token)).status).toBe(401);
  });

  test('is refused from the moment its grace period ends', async () => {
    const key = await account.key();
    const rotation = { token: caller.token, body: { grace_period_seconds: 2 } };
    await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, rotation);
    ctx.clock.advance(1999);
    expect((await me(key.token)).status).toBe(200);
    ctx.clock.advance(1);
    expect((await me(key.token)).status).toBe(401);
  });
});

describe('a session of someone who belongs to no account', () => {
  // The search accepts installation support, and refuses others itself.
  const forThem = [
    'joinAccount',
    'signOut',
    'searchAccounts',
    'getSupportDesk',
    'searchDesk',
    'findToken',
    'reportUnknownLeak',
    'listDeskRequests',
    'listAttention',
    'getInstallationStatus',
  ];

  test('calls a route outside of any account only if it is for them', async () => {
    const { id: session } = await addPerson(ctx);
    const byId = new TestApi(withSessionsById(ctx));
    const letIn: string[] = [];
    for (const { name, method, path, access } of allRoutes) {
      if (access === 'public') continue;
      const response = await byId.call(method, path.replaceAll(/\{\w+\}/g, '1'), {
        token: ctx.dashboardCredential,
        headers: { ...nextAddress(), 'X-Dashboard-Session': session },
      });
      if (response.status !== 401) letIn.push(name);
    }
    expect(letIn.toSorted()).toEqual(forThem.toSorted());
  });
});

test.each([
  ['/api/v1/api-keys', { name: 'Echo', type: 'bot' }],
  ['/api/v1/webhooks', { name: 'Echo', url: 'https://example.com/', events: ['message.created'] }],
])('a refused PATCH of %s/{id} echoes no secret', async (path, input) => {
  const { id } = dataOf(await caller.post(path, input));
  for (const field of ['token', 'secret', 'digest']) {
    const own = ['whsec', Buffer.alloc(32, 7).toString('base64')].join('_');
    const given = await caller.patch(`${path}/${id}`, { [field]: own });
    expect(given.status).toBe(422);
    expect(given.text).not.toContain(own);
  }
});

async function me(as: string): Promise<ApiResponse> {
  return await api.call('GET', '/api/v1/api-key', { token: as });
}

/** Failed authentications count for each address, so each call here comes from another one. */
let addresses = 0;
function nextAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-client-address': `198.51.100.${addresses}` };
}
