import { eq, inArray } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { incidents } from '../../../db/schema/api-keys/incidents.ts';
import { people } from '../../../db/schema/people/people.ts';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { dataOf, itemsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { startPasskey } from '../../../domain/people/second-factors/passkeys/add-passkey.ts';
import type { PasskeyAttestation } from '#lib/contract/people/second-factors.ts';
import { addApp, addPasskey, addUnconfirmedApp } from '../../../testing/records/second-factors.ts';
import type { TestApp } from '../../../testing/records/second-factors.ts';
import { SoftwareAuthenticator } from '../../../testing/software-authenticator.ts';
import { useApi } from '../../../testing/use-api.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';

const password = 'correct horse battery';
const halfAnHour = 1_800_000;

/** Acts that show a secret, widen or end something, or change where messages go; listed by hand. */
const sensitive = [
  'createApiKey',
  'rotateApiKey',
  'updateApiKey',
  'revokeApiKey',
  'endPreviousToken',
  'endToken',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
  'regenerateWebhookSecret',
  'rotateOnRequest',
  'revokeLeakedKey',
  'replaceUnconfirmedToken',
  'undoRotation',
  'startIncident',
  'endSession',
  'endOtherSessions',
  'updateAccount',
  'setInstallationSupport',
  'deleteAccount',
  'restoreAccount',
  'changeMemberRole',
  'removeMember',
  'leaveAccount',
  'createInvitation',
  'renewInvitation',
  'joinAccount',
  'startApp',
  'confirmApp',
  'removeApp',
  'startPasskey',
  'addPasskey',
  'removePasskey',
  'createRecoveryCodes',
  'requestEmailChange',
];

const bodies: Record<string, unknown> = {
  createApiKey: { name: 'New', type: 'bot' },
  updateApiKey: { name: 'Renamed' },
  createWebhook: { name: 'Hook', url: 'https://example.com/', events: ['message.created'] },
  updateWebhook: { url: 'https://example.com/elsewhere' },
  testWebhook: { type: 'message.created' },
  deleteAccount: { name: 'Marlow & Finch' },
  updateAccount: { support: { tokens: 'webhook_and_bot' } },
  setInstallationSupport: { is_allowed: false },
  changeMemberRole: { role: 'admin' },
};

/** What is done to a key whose newest token was shown in the dashboard. */
const aboutNewestToken = ['replaceUnconfirmedToken', 'undoRotation'];

/** What somebody does to their own second factors: those that need one first, and those that don't. */
const actsOnFactor = ['removeApp', 'removePasskey', 'createRecoveryCodes'];
const aboutFactors = [...actsOnFactor, 'startApp', 'confirmApp', 'startPasskey', 'addPasskey'];

const routes = [...publicRoutes, ...dashboardRoutes].filter(({ needsProof }) => needsProof);

const { ctx, api, account, caller } = useApi();
let owner: Person;
let admin: Person;
let viewer: Person;

type Person = { id: string; email: string; session: string; invitation?: string; app?: TestApp };

beforeAll(async () => {
  owner = await signedIn('owner');
  admin = await signedIn('admin');
  viewer = await signedIn('viewer');
});

beforeEach(async () => {
  ctx.clock.advance(60_000);
  // As giving the password does, which would cost each test two hashes of it.
  const now = ctx.clock.now();
  await ctx.db
    .update(sessions)
    .set({ createdAt: now, lastUsedAt: now, provedAt: now })
    .where(inArray(sessions.personId, [owner.id, admin.id, viewer.id]));
});

test('a fresh proof is required for every act that shows a secret, or widens or ends something', () => {
  expect(routes.map(({ name }) => name)).toEqual(expect.arrayContaining(sensitive));
});

describe.each(routes.map((route) => [route.method, route.path, route] as const))(
  '%s %s',
  (_method, _path, route) => {
    test('is refused once the password was given too long ago, and done after it is given again', async () => {
      const person = await personFor(route);
      const path = await fillIn(route, person);
      ctx.clock.advance(halfAnHour);
      const refused = await act(person, route, path);
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({
        success: false,
        error: { code: 'PROOF_REQUIRED', message: 'Confirm that it is you to do this.' },
      });
      await confirmIdentity(person);
      expect((await act(person, route, path)).status).toBeLessThan(300);
    });

    test('is done for half an hour after the password was given, to the millisecond', async () => {
      const person = await personFor(route);
      const path = await fillIn(route, person);
      ctx.clock.advance(halfAnHour - 1);
      expect((await act(person, route, path)).status).toBeLessThan(300);
    });
  },
);

test.each(
  routes
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map((route) => [route.method, route.path, route] as const),
)(
  '%s %s does not ask keys for a password, however old the key is',
  async (_method, _path, route) => {
    const path = await fillIn(route, owner);
    ctx.clock.advance(20 * halfAnHour);
    const response = await api.call(route.method, path, {
      token: caller.token,
      ...(route.name in bodies && { body: bodies[route.name] }),
    });
    expect(response.status).toBeLessThan(300);
  },
);

test('signing in counts as giving the password', async () => {
  const support = await signedIn('support');
  const { id } = await account.key({ scopes: ['webhooks:read'] });
  const response = await call(support, ['POST', `/api/v1/api-keys/${id}/rotate`, {}]);
  expect(response.status).toBe(201);
});

test('acts that only read or cannot do harm are never refused because of an old proof', async () => {
  ctx.clock.advance(20 * halfAnHour);
  for (const path of ['/api/v1/api-keys', '/api/v1/webhooks', '/api/dashboard/rotation-requests']) {
    expect((await call(owner, ['GET', path])).status, path).toBe(200);
  }
  const webhook = idOf(await caller.post('/api/v1/webhooks', bodies['createWebhook']));
  const renamed = { name: 'Renamed', is_active: false };
  expect((await call(owner, ['PATCH', `/api/v1/webhooks/${webhook}`, renamed])).status).toBe(200);
});

test('the dry run of a rotation does not need the password', async () => {
  const { id } = await account.key();
  ctx.clock.advance(20 * halfAnHour);
  const ask = (body: object) => call(owner, ['POST', `/api/v1/api-keys/${id}/rotate`, body]);
  expect((await ask({ dry_run: true })).status).toBe(200);
  expect(codeOf(await ask({ dry_run: false }))).toBe('PROOF_REQUIRED');
});

describe('the order of checks', () => {
  const make = (person: Person, on = api, body: unknown = { scopes: 'all' }) =>
    call(person, ['POST', '/api/v1/api-keys', body], on).then(codeOf);

  test('is: who calls, how often, whether they may, what they sent, then whether their proof is fresh', async () => {
    ctx.clock.advance(halfAnHour);
    const nobody = { ...owner, session: `${owner.session}x` };
    const state = {
      limit: 1,
      remaining: 0,
      resetSeconds: 5,
      name: 'call' as const,
      windowSeconds: 60,
    };
    const consume = async () => ({ allowed: false, ...state });
    const overLimit = new TestApi({ ...ctx, limiter: { ...ctx.limiter, consume } });
    expect(await make(nobody, overLimit)).toBe('UNAUTHORIZED');
    expect(await make(viewer, overLimit)).toBe('RATE_LIMIT_EXCEEDED');
    expect(await make(viewer)).toBe('FORBIDDEN');
    expect(await make(owner)).toBe('VALIDATION_ERROR');
    expect(await make(owner, api, bodies['createApiKey'])).toBe('PROOF_REQUIRED');
  });
});

async function signedIn(
  role: 'owner' | 'admin' | 'viewer' | 'support',
  accountId = account.id,
): Promise<Person> {
  const passwordHash = await ctx.auth.hashPassword(password);
  const { id, email } = await addPerson(ctx, { name: `Ida ${role}`, passwordHash });
  await addMember(ctx, { accountId, personId: id, role });
  return { id, email, session: await signIn(email) };
}

async function signIn(email: string): Promise<string> {
  const response = await api.call('POST', '/api/dashboard/session', {
    token: ctx.dashboardCredential,
    body: { email, password },
  });
  return dataOf<{ session_token: string }>(response).session_token;
}

/** Signs the owner in once more and gives the id of that session. */
async function otherSession(): Promise<string> {
  await signIn(owner.email);
  const listed = await call(owner, ['GET', '/api/dashboard/sessions']);
  const other = itemsOf<{ id: string; is_current: boolean }>(listed).find(
    ({ is_current: isCurrent }) => !isCurrent,
  );
  return String(other?.id);
}

/**
 * Gives the password, and a code if they have an app. The person then uses the session's new token.
 */
async function confirmIdentity(person: Person): Promise<ApiResponse> {
  const given = { password, ...(person.app && { code: person.app.code() }) };
  const response = await call(person, ['POST', '/api/dashboard/session/proof', given]);
  person.session = dataOf<{ session_token: string }>(response).session_token;
  return response;
}

async function act(person: Person, { name, method }: RouteDefinition, path: string) {
  return await call(person, [method, path, await bodyFor(person, name, path)]);
}

async function bodyFor(person: Person, name: string, path: string): Promise<unknown> {
  if (aboutNewestToken.includes(name)) return { expected_last_four: await newestLastFour(path) };
  if (name === 'startIncident') return await incidentBody();
  if (name === 'confirmApp') return { code: await startedApp(person) };
  if (name === 'addPasskey') return { name: 'Laptop', passkey: await newPasskey(person) };
  if (name === 'requestEmailChange') return { email: newEmail() };
  if (name === 'createInvitation') return { email: newEmail(), role: 'viewer' };
  if (name === 'joinAccount') {
    return { invitation_token: person.invitation, new_password: 'a staple that nobody knows' };
  }
  return bodies[name];
}

/** An account has one incident at a time. */
async function incidentBody(): Promise<unknown> {
  await ctx.db.update(incidents).set({ state: 'done' });
  const { uuid } = await account.key();
  const asked = { act: 'rotate', keys: [uuid], choice: {} };
  return { ...asked, reason: 'Laptop stolen', confirmation: 'rotate 1 key' };
}

/** Gives a code of an app that is not in use yet. */
async function startedApp({ id: personId, email }: Person): Promise<string> {
  return (await addUnconfirmedApp(ctx, { personId, email })).code();
}

async function newPasskey({ id: personId, email, session }: Person): Promise<PasskeyAttestation> {
  const actor = { ...(await account.member('viewer')), personId, email };
  const options = await startPasskey(ctx, actor, session);
  return new SoftwareAuthenticator().create({ options, origin: ctx.config.publicUrl.origin });
}

const newEmail = () => `${crypto.randomUUID()}@example.com`;

/** Returns the token of the link, which is not emailed here. */
async function invite(email: string): Promise<string> {
  const { link } = await createInvitation(ctx, await account.member('owner'), {
    email,
    role: 'viewer',
  });
  return link?.split('#')[1] ?? '';
}

/** The last four of the key that a path names. */
async function newestLastFour(path: string): Promise<string> {
  const [, id] = /api-keys\/(\d+)/.exec(path) ?? [];
  const response = await caller.get(`/api/v1/api-keys/${id}`);
  return dataOf<{ last_four: string }>(response).last_four;
}

async function call(
  person: Person,
  [method, path, body]: [method: string, path: string, body?: unknown],
  on = api,
): Promise<ApiResponse> {
  return await on.call(method, path, {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Session': person.session },
    ...(body !== undefined && { body }),
  });
}

function codeOf({ body }: ApiResponse): string {
  return (body as { error: { code: string } }).error.code;
}

/** The route's path with something of the account that the act can be done to. */
async function fillIn({ name, path }: RouteDefinition, person: Person): Promise<string> {
  if (path.includes('{passkey}'))
    return path.replace('{passkey}', await addPasskey(ctx, person.id));
  if (path.includes('{webhook}')) {
    const body = { name: 'Hook', url: 'https://example.com/', events: ['message.created'] };
    return path.replace('{webhook}', idOf(await caller.post('/api/v1/webhooks', body)));
  }
  if (path.includes('{invitation}')) {
    const invited = await createInvitation(ctx, await account.member('owner'), {
      email: newEmail(),
      role: 'viewer',
    });
    return path.replace('{invitation}', invited.uuid);
  }
  if (path.includes('{member}')) return path.replace('{member}', await addColleague('viewer'));
  if (path.includes('{session}')) return path.replace('{session}', await otherSession());
  const key = await account.key();
  if (aboutNewestToken.includes(name)) {
    await call(owner, ['POST', `/api/v1/api-keys/${key.id}/rotate`]);
    return path.replace('{apiKey}', String(key.id));
  }
  if (path.includes('{apiKey}')) {
    await caller.post(`/api/v1/api-keys/${key.id}/rotate`);
    const response = await caller.get(`/api/v1/api-keys/${key.id}`);
    const { tokens } = dataOf<{ tokens: { id: number }[] }>(response);
    return path.replace('{apiKey}', String(key.id)).replace('{token}', String(tokens.at(-1)?.id));
  }
  if (!path.includes('{rotationRequest}')) return path;
  const [asker, member] = name === 'rotateOnRequest' ? [admin, owner] : [owner, admin];
  const body = { member: member.id, reason: 'leaked' };
  const url = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
  return path.replace('{rotationRequest}', idOf(await call(asker, ['POST', url, body])));
}

/** Who leaves, or deletes the account, is not there for the next test. */
async function personFor({ name }: RouteDefinition): Promise<Person> {
  if (name === 'joinAccount') return await signedInAndInvited();
  if (name === 'deleteAccount') return await signedIn('owner', await addAccount(ctx));
  if (!aboutFactors.includes(name))
    return name === 'leaveAccount' ? await signedIn('owner') : owner;
  const person = await signedIn('viewer');
  if (!actsOnFactor.includes(name)) return person;
  const app = await addApp(ctx, { personId: person.id, email: person.email });
  return { ...person, app };
}

/** Somebody of another account whose address was never verified, so that they need a new password. */
async function signedInAndInvited(): Promise<Person> {
  const elsewhere = await addAccount(ctx, 'Elsewhere');
  const person = await signedIn('owner', elsewhere);
  await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, person.id));
  return { ...person, invitation: await invite(person.email) };
}

async function addColleague(role: 'viewer'): Promise<string> {
  const { id } = await addPerson(ctx);
  await addMember(ctx, { accountId: account.id, personId: id, role });
  return id;
}

function idOf(made: ApiResponse): string {
  expect(made.status).toBe(201);
  const { id, uuid } = dataOf<{ id?: number; uuid: string }>(made);
  return String(id ?? uuid);
}
