import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { sessions } from '../db/schema.ts';
import type { PersonActor } from '../domain/actor.ts';
import { itemsOf, TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { callAs, withSessionsById } from '../testing/sessions.ts';

type Named = { id: number | string; uuid: string };

/** A body each route would accept, so that nothing but the account decides. */
const bodies: Record<string, unknown> = {
  updateWebhook: { name: 'Taken over' },
  updateApiKey: { name: 'Taken over' },
  createMessage: { author: 'agent', text: 'Taken over' },
  createReplay: { since: '2026-11-20T00:00:00Z', status: 'all' },
};

const dashboardRoutesWithIds = dashboardRoutes.filter((route) => route.path.includes('{'));

const routesWithIds = publicRoutes.filter((route) => route.path.includes('{'));

let ctx: TestContext;
let api: TestApi;
let strangerToken: string;
let ownToken: string;
let stranger: PersonActor;
let strangerColleague: PersonActor;
/** What the owner of the first account has, by the name a path gives it. */
const ownInDashboard: Record<string, string> = {};
const own: Record<string, Named> = {};

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
  const account = await api.account();
  const key = await account.key();
  ownToken = key.token;
  own['apiKey'] = key;
  await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, { token: ownToken });
  own['token'] = await olderToken(key.id);
  own['webhook'] = await make('/api/v1/webhooks', {
    name: 'Hook',
    url: 'https://example.com/',
    events: ['message.created'],
  });
  own['conversation'] = await make('/api/v1/conversations', { subject: 'Private' });
  const elsewhere = await api.account();
  strangerToken = (await elsewhere.key()).token;
  stranger = await elsewhere.member('owner');
  strangerColleague = await elsewhere.member('admin');
  const owner = await account.member('owner');
  ownInDashboard['apiKey'] = key.uuid;
  ownInDashboard['rotationRequest'] = await askedFor(owner, {
    apiKey: key.uuid,
    member: (await account.member('admin')).personId,
  });
  ownInDashboard['session'] = await sessionOf(owner);
  own['delivery'] = await make(`/api/v1/webhooks/${own['webhook'].id}/test`, {});
  own['event'] = itemsOf(await api.call('GET', '/api/v1/events', { token: ownToken }))[0] as Named;
  const { uuid } = await make(
    `/api/v1/webhooks/${own['webhook'].id}/replays`,
    bodies['createReplay'],
  );
  own['replay'] = { id: uuid, uuid };
});
afterAll(() => ctx.dispose());

describe("another account's ids are answered as ids of nothing, on every route that takes one", () => {
  test.each(routesWithIds.map((route) => [route.method, route.path, route] as const))(
    '%s %s',
    async (_method, _path, route) => {
      const before = await everythingOwned();
      const none = await ask(route, () => '2000000000');
      expect(none.status).toBe(404);
      for (const reference of [byId, byUuid]) {
        const theirs = await ask(route, reference);
        expect(theirs.status).toBe(404);
        expect(theirs.text).toBe(none.text);
      }
      expect(await everythingOwned()).toEqual(before);
    },
  );

  test.each(dashboardRoutesWithIds.map((route) => [route.method, route.path, route] as const))(
    '%s %s in the dashboard',
    async (_method, _path, route) => {
      const before = await everythingOwned();
      const none = await askAsPerson(route, crypto.randomUUID());
      expect(none.status).toBe(404);
      const theirs = ownInDashboard[/\{(\w+)\}/.exec(route.path)?.[1] ?? ''];
      if (!theirs) throw new Error(`this test makes nothing for ${route.path}`);
      const answer = await askAsPerson(route, theirs);
      expect([answer.status, answer.text]).toEqual([404, none.text]);
      expect(await everythingOwned()).toEqual(before);
    },
  );

  test('and each list shows only what is the account’s own', async () => {
    for (const path of ['/api/v1/webhooks', '/api/v1/conversations', '/api/v1/events']) {
      const answer = await api.call('GET', path, { token: strangerToken });
      expect(answer.body).toMatchObject({ data: [] });
    }
    const keys = await api.call('GET', '/api/v1/api-keys', { token: strangerToken });
    expect((keys.body as { data: unknown[] }).data).toHaveLength(1);
    const log = await api.call('GET', '/api/v1/audit-log', { token: strangerToken });
    expect((log.body as { data: unknown[] }).data).toHaveLength(1);
    const requests = await callAs(api, stranger, ['GET', '/api/dashboard/rotation-requests']);
    expect(requests.body).toEqual({ success: true, data: [] });
  });

  test('and what support may be shown is set for one’s own account alone', async () => {
    const path = '/api/dashboard/support-access';
    const before = await ctx.db.query.accounts.findMany();
    await callAs(api, stranger, ['PATCH', path, { tokens: 'all_but_management' }]);
    const after = await ctx.db.query.accounts.findMany();
    const changed = after.filter(
      ({ id, supportTokens }) =>
        before.find((one) => one.id === id)?.supportTokens !== supportTokens,
    );
    expect(changed.map(({ id }) => id)).toEqual([stranger.accountId]);
  });
});

/** Asks as the other account, with what `refer` puts for each name in the path. */
async function ask(route: RouteDefinition, refer: (noun: string) => string) {
  const body = bodies[route.name];
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, noun: string) => refer(noun));
  return await api.call(route.method, path, {
    token: strangerToken,
    ...(body !== undefined && { body }),
  });
}

function byId(noun: string): string {
  return String(ownThing(noun).id);
}

function byUuid(noun: string): string {
  return ownThing(noun).uuid;
}

function ownThing(noun: string): Named {
  const thing = own[noun];
  if (!thing) throw new Error(`this test makes nothing for {${noun}}`);
  return thing;
}

/** A body that would do, were the id one's own. */
async function askAsPerson({ name, method, path }: RouteDefinition, reference: string) {
  const body =
    name === 'requestRotation' ? { member: strangerColleague.personId, reason: 'lost' } : undefined;
  return await callAs(api, stranger, [method, path.replace(/\{\w+\}/, reference), body]);
}

async function askedFor(by: PersonActor, about: { apiKey: string; member: string }) {
  const path = `/api/dashboard/api-keys/${about.apiKey}/rotation-requests`;
  const body = { member: about.member, reason: 'leaked' };
  const answer = await callAs(api, by, ['POST', path, body]);
  return (answer.body as { data: Named }).data.uuid;
}

async function sessionOf({ personId }: PersonActor): Promise<string> {
  const id = crypto.randomUUID();
  const expiresAt = new Date(ctx.clock.now().getTime() + 3_600_000);
  await ctx.db.insert(sessions).values({ id, token: id, userId: personId, expiresAt });
  return id;
}

/** The token that the key had before; tokens have no UUID. */
async function olderToken(apiKey: number): Promise<Named> {
  const answer = await api.call('GET', `/api/v1/api-keys/${apiKey}`, { token: ownToken });
  const { tokens } = (answer.body as { data: { tokens: { id: number }[] } }).data;
  const id = tokens[1]?.id;
  if (id === undefined) throw new Error('the key has no older token');
  return { id, uuid: String(id) };
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
    accounts: await db.query.accounts.findMany(),
    rotationRequests: await db.query.rotationRequests.findMany(),
    sessions: await db.query.sessions.findMany(),
    events: await db.query.events.findMany(),
    deliveries: await db.query.deliveries.findMany(),
    replays: await db.query.replays.findMany(),
  };
}
