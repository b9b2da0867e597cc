import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';

type Named = { id: number; uuid: string };

/** A body each route would accept, so that nothing but the account decides. */
const bodies: Record<string, unknown> = {
  updateWebhook: { name: 'Taken over' },
  updateApiKey: { name: 'Taken over' },
  createMessage: { author: 'agent', text: 'Taken over' },
};

const routesWithIds = publicRoutes.filter((route) => route.path.includes('{'));

let ctx: TestContext;
let api: TestApi;
let strangerToken: string;
let ownToken: string;
const own: Record<string, Named> = {};

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  const account = await api.account();
  const key = await account.key();
  ownToken = key.token;
  own['apiKey'] = key;
  await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, { token: ownToken });
  own['webhook'] = await make('/api/v1/webhooks', {
    name: 'Hook',
    url: 'https://example.com/',
    events: ['message.created'],
  });
  own['conversation'] = await make('/api/v1/conversations', { subject: 'Private' });
  strangerToken = (await (await api.account()).key()).token;
});
afterAll(() => ctx.dispose());

describe("another account's ids are answered as ids of nothing, on every route that takes one", () => {
  test.each(routesWithIds.map((route) => [route.method, route.path, route] as const))(
    '%s %s',
    async (_method, _path, route) => {
      const before = await everythingOwned();
      const none = await ask(route, '2000000000');
      expect(none.status).toBe(404);
      const resource = own[/\{(\w+)\}/.exec(route.path)?.[1] ?? ''];
      if (!resource) throw new Error(`this test makes nothing for ${route.path}`);
      for (const reference of [String(resource.id), resource.uuid]) {
        const theirs = await ask(route, reference);
        expect(theirs.status).toBe(404);
        expect(theirs.text).toBe(none.text);
      }
      expect(await everythingOwned()).toEqual(before);
    },
  );

  test('and each list shows only what is the account’s own', async () => {
    for (const path of ['/api/v1/webhooks', '/api/v1/conversations']) {
      const answer = await api.call('GET', path, { token: strangerToken });
      expect(answer.body).toMatchObject({ data: [] });
    }
    const keys = await api.call('GET', '/api/v1/api-keys', { token: strangerToken });
    expect((keys.body as { data: unknown[] }).data).toHaveLength(1);
    const log = await api.call('GET', '/api/v1/audit-log', { token: strangerToken });
    expect((log.body as { data: unknown[] }).data).toHaveLength(1);
  });
});

async function ask(route: RouteDefinition, reference: string) {
  const body = bodies[route.name];
  return await api.call(route.method, route.path.replace(/\{\w+\}/, reference), {
    token: strangerToken,
    ...(body !== undefined && { body }),
  });
}

async function make(path: string, body: unknown): Promise<Named> {
  const answer = await api.call('POST', path, { token: ownToken, body });
  return (answer.body as { data: Named }).data;
}

async function everythingOwned() {
  const { db } = ctx;
  return {
    keys: await db.query.apiKeys.findMany(),
    tokens: (await db.query.apiKeyTokens.findMany()).map(({ digest, validUntil }) => [
      digest.toString('hex'),
      validUntil,
    ]),
    webhooks: await db.query.webhooks.findMany(),
    secrets: await db.query.webhookSecrets.findMany(),
    conversations: await db.query.conversations.findMany(),
    messages: await db.query.messages.findMany(),
  };
}
