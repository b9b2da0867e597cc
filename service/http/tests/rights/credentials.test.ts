import { describe, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
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

  test('is decided before the body is read, whatever it contains', async () => {
    for (const body of ['{', 'x'.repeat(1_048_577), '{"userId":"1","user":{"id":"1"}}', 'null']) {
      for (const { method, path } of publicRoutes.filter((route) => route.body)) {
        const response = await api.call(method, path, { body, headers: nextAddress() });
        expect(response.status).toBe(401);
      }
    }
  });
});

test('a token in its grace period does not rotate its key, whatever else is wrong', async () => {
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

describe('a session of somebody who belongs to no account', () => {
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
  ];

  test('calls a route outside of any account only if it is for them', async () => {
    const { id: session } = await addPerson(ctx);
    const byId = new TestApi(withSessionsById(ctx));
    const letIn: string[] = [];
    for (const { name, method, path, access } of [...publicRoutes, ...dashboardRoutes]) {
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

test('a token or signing secret is only in the response that made it', async () => {
  const key = await account.key();
  const made = await caller.post('/api/v1/webhooks', {
    name: 'Hook',
    url: 'https://example.com/',
    events: ['message.created'],
  });
  const webhookId = dataOf(made).id;
  const window = { since: new Date(ctx.clock.now().getTime() - 1000).toISOString(), status: 'all' };
  const make = async (below: string, body: unknown) =>
    dataOf(await caller.post(`/api/v1/webhooks/${webhookId}${below}`, body));
  const delivery = await make('/test', {});
  const ids: Record<string, unknown> = {
    apiKey: key.id,
    token: await oldestOfThreeTokens(key),
    webhook: webhookId,
    delivery: delivery.id,
    event: (delivery['event'] as { uuid: string }).uuid,
    replay: (await make('/replays', window))['uuid'],
  };
  const bodies: Record<string, unknown> = {
    createApiKey: { name: 'Once', type: 'full' },
    updateApiKey: { name: 'Changed', scopes: ['webhooks:read'] },
    createWebhook: { name: 'Once', url: 'https://example.com/', events: ['message.created'] },
    updateWebhook: { name: 'Changed' },
    createReplay: { ...window, status: 'failed' },
  };
  const makers = ['regenerateWebhookSecret', 'createApiKey', 'rotateApiKey', 'rotateCallingApiKey'];
  // Afterwards its token is in its grace period.
  const rotating = await account.key({ mayRotateItself: true });
  const walked = [...publicRoutes, ...publicRoutes.filter(({ method }) => method === 'GET')]
    .filter(({ path }) => !path.includes('{conversation}'))
    // Acts that end a whole resource come last, after those that end a part of it, so that each act
    // finds its target.
    .toSorted((a, b) => endOrder(a) - endOrder(b));
  const carriers: string[] = [];
  for (const { name, method, path } of walked) {
    const response = await api.call(
      method,
      path.replaceAll(/\{(\w+)\}/g, (_, noun: string) => String(ids[noun])),
      {
        token: name === 'rotateCallingApiKey' ? rotating.token : caller.token,
        ...(name in bodies && { body: bodies[name] }),
      },
    );
    if (name !== 'createConversation') expect(response.status, name).toBeLessThan(300);
    if (carriesSecret(response)) carriers.push(name);
  }
  expect(carriers.toSorted()).toEqual(makers.toSorted());
});

test.each([
  ['/api/v1/api-keys', { name: 'Echo', type: 'bot' }],
  ['/api/v1/webhooks', { name: 'Echo', url: 'https://example.com/', events: ['message.created'] }],
])('a PATCH of %s/{id} echoes no secret, given or stored', async (path, input) => {
  const made = await caller.post(path, input);
  const { id } = dataOf(made);
  if (path.endsWith('webhooks')) {
    await caller.post(`${path}/${id}/regenerate-secret`);
  }
  const changed = await caller.patch(`${path}/${id}`, { name: 'Changed' });
  expect(changed.status).toBe(200);
  expect(carriesSecret(changed)).toBe(false);
  for (const field of ['token', 'secret', 'digest']) {
    const own = ['whsec', Buffer.alloc(32, 7).toString('base64')].join('_');
    const given = await caller.patch(`${path}/${id}`, { [field]: own });
    expect(given.status).toBe(422);
    expect(given.text).not.toContain(own);
  }
});

function endOrder({ method, path }: RouteDefinition): number {
  return method === 'DELETE' ? 1 / path.split('/').length : 0;
}

/** Rotates a key twice, so that two older tokens can be ended. */
async function oldestOfThreeTokens({ id }: { id: number }): Promise<unknown> {
  const rotate = () => caller.post(`/api/v1/api-keys/${id}/rotate`);
  await me(String(dataOf(await rotate())['token']));
  await rotate();
  const { tokens } = dataOf(await caller.get(`/api/v1/api-keys/${id}`));
  return (tokens as { id: number }[]).at(-1)?.id;
}

function carriesSecret({ text, headers }: ApiResponse): boolean {
  return /sk_live_[0-9A-Za-z]|whsec_[0-9A-Za-z+/]/.test(`${text} ${JSON.stringify([...headers])}`);
}

async function me(as: string): Promise<ApiResponse> {
  return await api.call('GET', '/api/v1/api-key', { token: as });
}

/** Failed authentications count for each address, so each call here comes from another one. */
let addresses = 0;
function nextAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-client-address': `198.51.100.${addresses}` };
}
