import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import { roles } from '#lib/contract/roles.ts';
import { accounts, members, rotationRequests, sessions } from '../../db/schema.ts';
import { dataOf, TestApi } from '../../testing/api.ts';
import type { TestAccount } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';
import {
  addAccount,
  addMember,
  addPerson,
  addSupporter,
  addVisit,
} from '../../testing/records/people.ts';
import { callAs, withSessionsById } from '../../testing/sessions.ts';
import { createInvitation } from '../../domain/people/invitations/create-invitation.ts';

/** What each role may do through the dashboard, typed here by hand. */
const rights: [string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, unknown, Role[]][] = [
  ['see keys', 'GET', '/api/v1/api-keys', undefined, ['owner', 'admin', 'support', 'viewer']],
  ['create a key', 'POST', '/api/v1/api-keys', { name: 'New', type: 'bot' }, ['owner', 'admin']],
  [
    'rotate a key no stronger than support',
    'POST',
    '/api/v1/api-keys/{small}/rotate',
    {},
    ['owner', 'admin', 'support'],
  ],
  [
    'rotate it with a grace of an hour',
    'POST',
    '/api/v1/api-keys/{small}/rotate',
    { grace_period_seconds: 3600 },
    ['owner', 'admin', 'support'],
  ],
  [
    'rotate it with less than an hour of grace',
    'POST',
    '/api/v1/api-keys/{small}/rotate',
    { grace_period_seconds: 3599 },
    ['owner', 'admin'],
  ],
  [
    'see what a rotation with a grace of 0 would do',
    'POST',
    '/api/v1/api-keys/{small}/rotate',
    { grace_period_seconds: 0, dry_run: true },
    ['owner', 'admin'],
  ],
  ['rotate a bot key', 'POST', '/api/v1/api-keys/{bot}/rotate', {}, ['owner', 'admin']],
  ['rotate a full key', 'POST', '/api/v1/api-keys/{full}/rotate', {}, ['owner', 'admin']],
  [
    'end an older token of a key no stronger than support',
    'DELETE',
    '/api/v1/api-keys/{rotatedSmall}',
    undefined,
    ['owner', 'admin'],
  ],
  [
    'end the previous token of a key no stronger than support',
    'DELETE',
    '/api/v1/api-keys/{previousOfSmall}/previous-token',
    undefined,
    ['owner', 'admin'],
  ],
  [
    'end an older token of a full key',
    'DELETE',
    '/api/v1/api-keys/{rotatedFull}',
    undefined,
    ['owner', 'admin'],
  ],
  [
    'see what a rotation would do',
    'POST',
    '/api/v1/api-keys/{small}/rotate',
    { dry_run: true },
    ['owner', 'admin', 'support'],
  ],
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
  [
    'see deliveries',
    'GET',
    '/api/v1/webhooks/{webhook}/deliveries',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'see a delivery',
    'GET',
    '/api/v1/deliveries/{delivery}',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'count deliveries',
    'GET',
    '/api/v1/webhooks/{webhook}/deliveries/totals',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  ['see events', 'GET', '/api/v1/events', undefined, ['owner', 'admin', 'support', 'viewer']],
  [
    'see statistics',
    'GET',
    '/api/v1/webhooks/{webhook}/statistics',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  ['test a webhook', 'POST', '/api/v1/webhooks/{webhook}/test', {}, ['owner', 'admin', 'support']],
  [
    'retry a delivery',
    'POST',
    '/api/v1/deliveries/{delivery}/retry',
    undefined,
    ['owner', 'admin', 'support'],
  ],
  [
    'replay a window',
    'POST',
    '/api/v1/webhooks/{webhook}/replays',
    { since: '2026-11-20T00:00:00Z', status: 'failed' },
    ['owner', 'admin', 'support'],
  ],
  ['see a replay', 'GET', '/api/v1/replays/{replay}', undefined, ['owner', 'admin', 'support']],
  [
    'cancel a replay',
    'POST',
    '/api/v1/replays/{replay}/cancel',
    undefined,
    ['owner', 'admin', 'support'],
  ],
  ['read conversations', 'GET', '/api/v1/conversations', undefined, ['owner', 'admin']],
  ['delete a webhook', 'DELETE', '/api/v1/webhooks/{webhook}', undefined, ['owner', 'admin']],
  [
    'see who can rotate a key',
    'GET',
    '/api/dashboard/api-keys/{full}/rotators',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'see rotation requests',
    'GET',
    '/api/dashboard/rotation-requests',
    undefined,
    ['owner', 'admin', 'support'],
  ],
  [
    'ask for a rotation',
    'POST',
    '/api/dashboard/api-keys/{full}/rotation-requests',
    { member: '{colleague}', reason: 'lost' },
    ['owner', 'admin', 'support'],
  ],
  [
    'close a rotation request',
    'DELETE',
    '/api/dashboard/rotation-requests/{asked}',
    undefined,
    ['owner', 'admin', 'support'],
  ],
  [
    'end a key reported as leaked',
    'POST',
    '/api/dashboard/rotation-requests/{asked}/revoke',
    undefined,
    ['owner', 'admin', 'support'],
  ],
  [
    'rotate a full key on request',
    'POST',
    '/api/dashboard/rotation-requests/{namedIn}/rotate',
    {},
    ['owner', 'admin'],
  ],
  [
    'see the settings of the account',
    'GET',
    '/api/dashboard/account',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'set what support can be shown',
    'PATCH',
    '/api/dashboard/account',
    { support: { tokens: 'within_role' } },
    ['owner'],
  ],
  ['restore the account', 'DELETE', '/api/dashboard/account/deletion', undefined, ['owner']],
  ['set when sessions end', 'PATCH', '/api/dashboard/account', { session_hours: 168 }, ['owner']],
  [
    'see installation support',
    'GET',
    '/api/dashboard/installation-support',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'set what installation support can do',
    'PATCH',
    '/api/dashboard/installation-support',
    { is_allowed: true },
    ['owner'],
  ],
  [
    'see how many keys there can be',
    'GET',
    '/api/dashboard/quotas',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'see the team',
    'GET',
    '/api/dashboard/members',
    undefined,
    ['owner', 'admin', 'support', 'viewer'],
  ],
  [
    'change the role of a member',
    'PATCH',
    '/api/dashboard/members/{viewer}',
    { role: 'viewer' },
    ['owner', 'admin'],
  ],
  [
    'make a member an owner',
    'PATCH',
    '/api/dashboard/members/{viewer}',
    { role: 'owner' },
    ['owner'],
  ],
  [
    'change the role of an owner',
    'PATCH',
    '/api/dashboard/members/{owner}',
    { role: 'admin' },
    ['owner'],
  ],
  [
    'see what was shown to a member',
    'GET',
    '/api/dashboard/members/{viewer}/shown-secrets',
    undefined,
    ['owner', 'admin'],
  ],
  ['remove a member', 'DELETE', '/api/dashboard/members/{viewer}', undefined, ['owner', 'admin']],
  ['remove an owner', 'DELETE', '/api/dashboard/members/{owner}', undefined, ['owner']],
  ['see invitations', 'GET', '/api/dashboard/invitations', undefined, ['owner', 'admin']],
  [
    'invite a viewer',
    'POST',
    '/api/dashboard/invitations',
    { email: '{newEmail}', role: 'viewer' },
    ['owner', 'admin'],
  ],
  [
    'invite an owner',
    'POST',
    '/api/dashboard/invitations',
    { email: '{newEmail}', role: 'owner' },
    ['owner'],
  ],
  [
    'send an invitation again',
    'POST',
    '/api/dashboard/invitations/{invitation}/renew',
    undefined,
    ['owner', 'admin'],
  ],
  [
    'revoke an invitation',
    'DELETE',
    '/api/dashboard/invitations/{invitation}',
    undefined,
    ['owner', 'admin'],
  ],
  ['use the key of nobody', 'GET', '/api/v1/api-key', undefined, []],
];

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
/** Another owner. */
let colleague: string;
/** Who support the installation: one said why they open the account, the other did not. */
let visitor: string;
let withoutReason: string;

beforeAll(async () => {
  const config = { rateLimitPerMinute: 50, maxKeys: 1000, maxWebhooks: 1000 };
  ctx = withSessionsById(await createTestContext({ config }));
  api = new TestApi(ctx);
  account = await api.account();
  for (const role of roles) await joinFirst((await account.member(role)).personId, role);
  colleague = (await addPerson(ctx)).id;
  await addMember(ctx, { accountId: account.id, personId: colleague, role: 'owner' });
  visitor = await addInstallationSupport();
  withoutReason = await addInstallationSupport();
  await addVisit(ctx, { accountId: account.id, personId: visitor, sessionId: visitor });
});
afterAll(() => ctx.dispose());

describe.each(rights)('to %s', (_what, method, path, body, allowed) => {
  test.each(roles)('as %s is decided by the service', async (role) => {
    const { personId } = await account.member(role);
    expect(await outcomeFor(personId)).toBe(allowed.includes(role) ? 'allowed' : 'refused');
  });

  test('as installation support is what support may, with a reason, where the account allows it', async () => {
    ctx.clock.advance(60_000);
    expect(await outcomeFor(visitor)).toBe(allowed.includes('support') ? 'allowed' : 'refused');
    expect(await outcomeFor(withoutReason)).toBe('refused');
    await allowInstallationSupport(false);
    expect([await outcomeFor(visitor), await outcomeFor(withoutReason)]).toEqual([404, 404]);
    await allowInstallationSupport(true);
  });

  async function outcomeFor(personId: string): Promise<'allowed' | 'refused' | number> {
    const { status } = await api.call(method, await fillIn(path, personId), {
      token: ctx.dashboardCredential,
      headers: { ...headersOf(personId), 'X-Dashboard-Client': '192.0.2.9 Firefox' },
      ...(body !== undefined && {
        body: JSON.stringify(body)
          .replace('{colleague}', colleague)
          .replace('{newEmail}', `${crypto.randomUUID()}@example.com`),
      }),
    });
    if (status === 403) return 'refused';
    return status < 300 ? 'allowed' : status;
  }
});

test('what a person does is audited with their name and the address of their browser', async () => {
  ctx.clock.advance(60_000);
  await api.call('POST', '/api/v1/api-keys', {
    token: ctx.dashboardCredential,
    headers: {
      ...headersOf((await account.member('admin')).personId),
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

test('the limit of calls counts per person', async () => {
  const call = async (role: Role) =>
    await callAs(api, await account.member(role), ['GET', '/api/v1/webhooks']);
  ctx.clock.advance(60_000);
  for (let calls = 0; calls < 50; calls += 1) await call('viewer');
  expect((await call('viewer')).status).toBe(429);
  expect((await call('support')).status).toBe(200);
});

test('calls for an account that is not theirs count against that limit too', async () => {
  const viewer = await account.member('viewer');
  const call = async (accountId: string) =>
    (await callAs(api, { ...viewer, pageOf: accountId }, ['GET', '/api/v1/webhooks'])).status;
  ctx.clock.advance(60_000);
  for (let calls = 0; calls < 50; calls += 1) {
    expect(await call(crypto.randomUUID())).toBe(404);
  }
  expect(await call(crypto.randomUUID())).toBe(429);
  expect(await call(account.id)).toBe(429);
});

/** Of a call from a page of the account; their session alone would act in another one. */
function headersOf(personId: string): Record<string, string> {
  return { 'X-Dashboard-Session': personId, 'X-Dashboard-Account': account.id };
}

/** Somebody with a session that `withSessionsById` knows, and that a visit can name. */
async function addInstallationSupport(): Promise<string> {
  const { id } = await addPerson(ctx);
  await addSupporter(ctx, id);
  const expiresAt = new Date(ctx.clock.now().getTime() + 3_600_000);
  await ctx.db.insert(sessions).values({ id, token: id, userId: id, expiresAt });
  return id;
}

async function allowInstallationSupport(isAllowed: boolean): Promise<void> {
  await ctx.db
    .update(accounts)
    .set({ allowsInstallationSupport: isAllowed })
    .where(eq(accounts.id, account.id));
}

/**
 * Makes somebody a member of another account, which counts as the one they joined first, with rights
 * that they don't have in this one: those must never be the ones that count.
 */
async function joinFirst(personId: string, role: Role): Promise<void> {
  const other = await addAccount(ctx, 'Joined first');
  const createdAt = new Date(ctx.clock.now().getTime() - 1000);
  const roleThere = role === 'owner' ? 'viewer' : 'owner';
  await ctx.db.insert(members).values({ accountId: other, personId, role: roleThere, createdAt });
}

async function fillIn(path: string, personId: string): Promise<string> {
  if (/members\/\{\w+\}/.test(path)) return path.replace(/\{(\w+)\}/, await addColleague(path));
  if (path.includes('{invitation}')) return path.replace('{invitation}', await addInvitation());
  const owner = await account.key();
  if (path.includes('{asked}')) {
    const request = { apiKeyId: owner.id, requestedById: personId, memberId: colleague };
    return path.replace('{asked}', await addRequest(request));
  }
  if (path.includes('{namedIn}')) {
    const request = { apiKeyId: owner.id, requestedById: colleague, memberId: personId };
    return path.replace('{namedIn}', await addRequest(request));
  }
  const small = async () => await account.key({ scopes: ['webhooks:read', 'api-keys:read'] });
  if (path.includes('{rotated')) {
    const key = path.includes('Small') ? await small() : await account.key();
    return path.replace(/\{\w+\}/, await olderToken(key, owner.token));
  }
  if (path.includes('{previousOfSmall}')) {
    const key = await small();
    await olderToken(key, owner.token);
    return path.replace('{previousOfSmall}', String(key.id));
  }
  if (path.includes('{small}')) return path.replace('{small}', String((await small()).id));
  if (path.includes('{full}')) return path.replace('{full}', String(owner.id));
  if (path.includes('{bot}')) {
    return path.replace('{bot}', String((await account.key({ type: 'bot' })).id));
  }
  if (!path.includes('{')) return path;
  const webhook = await account.webhook();
  const make = async (below: string, body: unknown) =>
    dataOf(
      await api.call('POST', `/api/v1/webhooks/${webhook.id}${below}`, {
        token: owner.token,
        body,
      }),
    );
  const window = { since: '2026-11-20T00:00:00Z', status: 'all' };
  if (path.includes('{replay}')) {
    return path.replace('{replay}', String((await make('/replays', window))['uuid']));
  }
  if (path.includes('{delivery}')) {
    return path.replace('{delivery}', String((await make('/test', {})).id));
  }
  return path.replace('{webhook}', String(webhook.id));
}

async function addInvitation(): Promise<string> {
  const { uuid } = await createInvitation(ctx, await account.member('owner'), {
    email: `${crypto.randomUUID()}@example.com`,
    role: 'viewer',
  });
  return uuid;
}

/** A member with the role that the path names. */
async function addColleague(path: string): Promise<string> {
  const role = path.includes('{owner}') ? 'owner' : 'viewer';
  const { id } = await addPerson(ctx);
  await addMember(ctx, { accountId: account.id, personId: id, role });
  return id;
}

/** Rotates a key, and gives the path of the token it had before. */
async function olderToken({ id }: { id: number }, token: string): Promise<string> {
  await api.call('POST', `/api/v1/api-keys/${id}/rotate`, { token });
  const { tokens } = dataOf(await api.call('GET', `/api/v1/api-keys/${id}`, { token }));
  return `${id}/tokens/${(tokens as { id: number }[])[1]?.id}`;
}

/** As it would stand if the member's role had been another when it was made. */
async function addRequest(
  about: Pick<typeof rotationRequests.$inferInsert, 'apiKeyId' | 'requestedById' | 'memberId'>,
): Promise<string> {
  const uuid = crypto.randomUUID();
  const createdAt = ctx.clock.now();
  await ctx.db.insert(rotationRequests).values({
    ...about,
    uuid,
    accountId: account.id,
    reason: 'leaked',
    state: 'open',
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 3_600_000),
  });
  return uuid;
}
