import { beforeAll, describe, expect, test } from 'vitest';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import { addAccount, addMember } from '../../../testing/records/people.ts';
import { addSession, addSessionsById } from '../../../testing/sessions.ts';
import { addPasskey } from '../../../testing/records/second-factors.ts';
import { useApi } from '../../../testing/use-api.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';

type Named = { id: number | string; uuid: string };

/** For each route a body that it would accept, so that only the account decides. */
const bodies: Record<string, unknown> = {
  updateWebhook: { name: 'Taken over' },
  updateApiKey: { name: 'Taken over' },
  createMessage: { author: 'agent', text: 'Taken over' },
  createReplay: { since: '2026-11-20T00:00:00Z', status: 'all' },
  confirmToken: { last_four: 'a1b2' },
  replaceUnconfirmedToken: { expected_last_four: 'a1b2' },
  undoRotation: { expected_last_four: 'a1b2' },
  confirmSecret: { last_four: 'a1b=' },
  changeMemberRole: { role: 'viewer' },
  renamePasskey: { name: 'Taken over' },
  declineRotationRequest: { reason: 'later' },
};

const dashboardRoutesWithIds = dashboardRoutes.filter((route) => route.path.includes('{'));

const routesWithIds = publicRoutes.filter((route) => route.path.includes('{'));

/** The routes with ids that an owner of an account can use. */
const routesForOwnersWithIds = [...routesWithIds, ...dashboardRoutesWithIds].filter(
  ({ access }) => typeof access === 'object' && mayAct('owner', access.act),
);

/** Routes whose response depends on who calls. */
const routesWithCaller = [...publicRoutes, ...dashboardRoutes].filter(
  ({ access }) => access !== 'public',
);

const { ctx, api } = useApi();
let strangerToken: string;
let ownToken: string;
let stranger: PersonActor;
let strangerColleague: PersonActor;
/** The owner of the first account, who also owns a second, empty one. */
let ownerOfBoth: PersonActor;
let firstAccount: AccountId;
let secondAccount: AccountId;
/** The resources of the first account's owner, by the names that paths give them. */
const ownInDashboard: Record<string, string> = {};
const own: Record<string, Named> = {};

beforeAll(async () => {
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
  await addSessionsById(ctx, [stranger.personId]);
  const owner = await account.member('owner');
  ownerOfBoth = owner;
  firstAccount = account.id;
  ctx.clock.advance(1);
  secondAccount = await addAccount(ctx, 'Second');
  const membership = { accountId: secondAccount, personId: owner.personId, role: 'owner' } as const;
  await addMember(ctx, membership);
  ownInDashboard['apiKey'] = key.uuid;
  ownInDashboard['webhook'] = own['webhook'].uuid;
  ownInDashboard['rotationRequest'] = await askedFor(owner, {
    apiKey: key.uuid,
    member: (await account.member('admin')).personId,
  });
  ownInDashboard['member'] = (await account.member('admin')).personId;
  const invited = await createInvitation(ctx, owner, { email: 'mika@example.com', role: 'viewer' });
  ownInDashboard['invitation'] = invited.uuid;
  ownInDashboard['incident'] = await incidentOf(owner, key.uuid);
  ownInDashboard['passkey'] = await addPasskey(ctx, owner.personId);
  ownInDashboard['session'] = await addSession(ctx, owner);
  own['delivery'] = await make(`/api/v1/webhooks/${own['webhook'].id}/test`, {});
  ownInDashboard['delivery'] = own['delivery'].uuid;
  own['event'] = itemsOf(await api.call('GET', '/api/v1/events', { token: ownToken }))[0] as Named;
  const { uuid } = await make(
    `/api/v1/webhooks/${own['webhook'].id}/replays`,
    bodies['createReplay'],
  );
  own['replay'] = { id: uuid, uuid };
});

describe("another account's ids get the same response as unknown ids, on every route that takes one", () => {
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
      const response = await askAsPerson(route, theirs);
      expect([response.status, response.text]).toEqual([404, none.text]);
      expect(await everythingOwned()).toEqual(before);
    },
  );

  test('each list shows only the account’s own resources', async () => {
    for (const path of ['/api/v1/webhooks', '/api/v1/conversations', '/api/v1/events']) {
      const response = await api.call('GET', path, { token: strangerToken });
      expect(response.body).toMatchObject({ data: [] });
    }
    const keys = await api.call('GET', '/api/v1/api-keys', { token: strangerToken });
    expect(itemsOf(keys)).toHaveLength(1);
    const log = await api.call('GET', '/api/v1/audit-log', { token: strangerToken });
    expect(itemsOf(log)).toHaveLength(1);
    const requests = await api.as(stranger).get('/api/dashboard/rotation-requests');
    expect(requests.body).toEqual({ success: true, data: [] });
    const incidents = await api.as(stranger).get('/api/dashboard/incidents');
    expect(incidents.body).toEqual({ success: true, data: [] });
    const chosen = await api.as(stranger).get('/api/dashboard/incident-keys');
    expect(dataOf<unknown>(chosen)).toMatchObject({
      keys: [{ uuid: itemsOf<{ uuid: string }>(keys)[0]?.uuid }],
      live_keys: 1,
    });
  });

  test('support access can be set for one’s own account only', async () => {
    const path = '/api/dashboard/account';
    const before = await ctx.db.query.accounts.findMany();
    await api.as(stranger).patch(path, { support: { tokens: 'all_but_management' } });
    const after = await ctx.db.query.accounts.findMany();
    const changed = after.filter(
      ({ id, supportTokens }) =>
        before.find((one) => one.id === id)?.supportTokens !== supportTokens,
    );
    expect(changed.map(({ id }) => id)).toEqual([stranger.accountId]);
  });
});

describe('a person who belongs to two accounts', () => {
  const unchanged = compareEverythingOwned();

  test.each(routesForOwnersWithIds.map((route) => [route.method, route.path, route] as const))(
    'gets the response for an unknown id, from a page of one account for a resource of the other: %s %s',
    async (_method, _path, route) => {
      const inSecond = async (refer: (noun: string) => string) =>
        await askFromPage(secondAccount, route, refer);
      const none = await inSecond(() => '2000000000');
      expect(none.status).toBe(404);
      for (const reference of [byId, byUuid]) {
        const theirs = await inSecond(reference);
        expect([theirs.status, theirs.text]).toEqual([404, none.text]);
      }
      if (route.method === 'GET') {
        expect((await askFromPage(firstAccount, route, byId)).status).toBe(200);
      }
      ctx.clock.advance(60_000);
    },
  );

  test('changes nothing in the other account by these requests', unchanged);

  test('is shown the lists of the account whose page asks', async () => {
    const webhooks = async (account?: string) =>
      itemsOf(await api.as({ ...ownerOfBoth, pageOf: account }).get('/api/v1/webhooks')).map(
        ({ name }) => name,
      );
    expect(await webhooks(firstAccount)).toEqual(['Hook']);
    expect(await webhooks(secondAccount)).toEqual([]);
    expect(await webhooks(secondAccount.toUpperCase())).toEqual([]);
    expect(await webhooks()).toEqual(['Hook']);
  });

  test('creates resources in the account whose page asks, which is also where they are audited', async () => {
    const body = { name: 'Made in the second', type: 'bot' };
    const path = '/api/v1/api-keys';
    const made = await api.as({ ...ownerOfBoth, pageOf: secondAccount }).post(path, body);
    expect(made.status).toBe(201);
    const entries = await ctx.db.query.auditEntries.findMany();
    expect(entries.find(({ target }) => target.name === body.name)).toMatchObject({
      accountId: secondAccount,
      action: 'api_key.created',
    });
  });
});

describe('an account that is not theirs gets the same response as one that does not exist', () => {
  const unchanged = compareEverythingOwned();

  test.each(routesWithCaller.map((route) => [route.method, route.path, route] as const))(
    '%s %s',
    async (_method, _path, route) => {
      const missing = await api.as(ownerOfBoth).get('/api/v1/nothing');
      expect(missing.status).toBe(404);
      for (const account of [
        stranger.accountId,
        crypto.randomUUID(),
        'x',
        '',
        `${firstAccount}0`,
      ]) {
        const response = await askFromPage(account, route, byUuid);
        expect([response.status, response.text], account).toEqual([404, missing.text]);
      }
      ctx.clock.advance(60_000);
    },
  );

  test('the requests change nothing', unchanged);
});

describe('the account that a request names is ignored', () => {
  test.each(['', 'x', 'another’s'])('with an API key: %j', async (given) => {
    const account = given === 'another’s' ? stranger.accountId : given;
    const headers = { 'X-Dashboard-Account': account };
    const response = await api.call('GET', '/api/v1/webhooks', { token: ownToken, headers });
    expect(itemsOf(response)).toMatchObject([{ name: 'Hook' }]);
  });

  test('with the credential of the dashboard and no session, or a session and no credential', async () => {
    const account = { 'X-Dashboard-Account': firstAccount };
    const session = { 'X-Dashboard-Session': ownerOfBoth.personId };
    const token = ctx.dashboardCredential;
    for (const [options, without] of [
      [{ token, headers: account }, { token }],
      [{ headers: { ...account, ...session } }, { headers: session }],
      [
        { token: strangerToken, headers: { ...account, ...session } },
        { token: strangerToken, headers: session },
      ],
    ]) {
      const response = await api.call('GET', '/api/v1/webhooks', options);
      const plain = await api.call('GET', '/api/v1/webhooks', without);
      expect([response.status, response.text]).toEqual([plain.status, plain.text]);
    }
  });
});

/** A call of the person who belongs to two accounts, from a page of `account`. */
async function askFromPage(
  account: string,
  route: RouteDefinition,
  refer: (noun: string) => string,
) {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, noun: string) => refer(noun));
  const body = bodyOfRequest(route.name, ownerOfBoth) ?? bodies[route.name];
  return await api.as({ ...ownerOfBoth, pageOf: account }).call(route.method, path, { body });
}

/** A call of the other account, with the values of `refer` in place of each name in the path. */
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
  const uuid = ownInDashboard[noun];
  const thing = own[noun] ?? (uuid === undefined ? undefined : { id: uuid, uuid });
  if (!thing) throw new Error(`this test makes nothing for {${noun}}`);
  return thing;
}

/** A body that would be accepted if the id were one's own. */
async function askAsPerson({ name, method, path }: RouteDefinition, reference: string) {
  const body = bodyOfRequest(name, strangerColleague) ?? bodies[name];
  return await api.as(stranger).call(method, path.replace(/\{\w+\}/, reference), { body });
}

/** The body with which a route asks a member for something; undefined for other routes. */
function bodyOfRequest(name: string, { personId: member }: PersonActor) {
  if (name === 'requestRotation') return { member, reason: 'lost' };
  if (name !== 'requestWebhookAct') return undefined;
  return { act: 'regenerate_secret', member, reason: 'lost' };
}

async function askedFor(by: PersonActor, options: { apiKey: string; member: string }) {
  const path = `/api/dashboard/api-keys/${options.apiKey}/rotation-requests`;
  const body = { member: options.member, reason: 'leaked' };
  const response = await api.as(by).post(path, body);
  return dataOf<Named>(response).uuid;
}

async function incidentOf(by: PersonActor, apiKey: string): Promise<string> {
  const body = {
    act: 'revoke',
    keys: [apiKey],
    choice: {},
    reason: 'Laptop stolen',
    confirmation: 'revoke 1 key',
  };
  const response = await api.as(by).post('/api/dashboard/incidents', body);
  return dataOf<Named>(response).uuid;
}

/** The token that the key had before; tokens have no UUID. */
async function olderToken(apiKey: number): Promise<Named> {
  const response = await api.call('GET', `/api/v1/api-keys/${apiKey}`, { token: ownToken });
  const { tokens } = dataOf<{ tokens: { id: number }[] }>(response);
  const id = tokens[1]?.id;
  if (id === undefined) throw new Error('the key has no older token');
  return { id, uuid: String(id) };
}

async function make(path: string, body: unknown): Promise<Named> {
  const response = await api.call('POST', path, { token: ownToken, body });
  return dataOf<Named>(response);
}

/**
 * Reads everything before the tests of a block. The returned function checks that nothing has
 * changed.
 */
function compareEverythingOwned(): () => Promise<void> {
  let before: Awaited<ReturnType<typeof everythingOwned>>;
  beforeAll(async () => {
    before = await everythingOwned();
  });
  return async () => expect(await everythingOwned()).toEqual(before);
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
    members: (await db.query.members.findMany())
      .map(({ accountId, personId, role }) => [accountId, personId, role].join())
      .toSorted(),
    invitations: await db.query.invitations.findMany(),
    passkeys: await db.query.passkeys.findMany(),
    apps: await db.query.authenticatorApps.findMany(),
    rotationRequests: await db.query.rotationRequests.findMany(),
    incidents: await db.query.incidents.findMany(),
    incidentKeys: await db.query.incidentKeys.findMany(),
    sessions: await db.query.sessions.findMany(),
    events: await db.query.events.findMany(),
    deliveries: await db.query.deliveries.findMany(),
    replays: await db.query.replays.findMany(),
  };
}
