import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { bootContext } from '../../../../boot/boot-context.ts';
import type { Context } from '../../../../context.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { supportVisits } from '../../../../db/schema/people/support.ts';
import type { AccountId } from '../../../../domain/account-id.ts';
import { addSupportAsOperator } from '../../../../domain/people/installation-support/add-support-as-operator.ts';
import { removeSupportAsOperator } from '../../../../domain/people/installation-support/remove-support-as-operator.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../../testing/api.ts';
import { createTestContext } from '../../../../testing/context.ts';
import type { TestContext } from '../../../../testing/context.ts';
import {
  addAccount,
  addMember,
  addPerson,
  addSupporter,
} from '../../../../testing/records/people.ts';

const password = 'correct horse battery';
const reason = 'Ticket 4812: calls get a 401';

let ctx: TestContext;
/** Another process on the same database. */
let other: Context;
let api: TestApi;
let otherApi: TestApi;
let passwordHash: string;

let account: TestAccount;
let owner: Person;
let supporter: Person;

type Person = { id: string; name: string; email: string; session: string };
type Call = [method: string, path: string, body?: unknown];

beforeAll(async () => {
  ctx = await createTestContext({ config: { rateLimitPerMinute: 10_000 } });
  const { config, database, clock, silentLog: log, mail, dashboardCredential } = ctx;
  const booted = await bootContext({ config, database, clock, log });
  other = { ...booted, clock, mail, dashboardCredential };
  api = new TestApi(ctx);
  otherApi = new TestApi(other);
  passwordHash = await ctx.auth.hashPassword(password);
});
afterAll(async () => {
  await other.usage.stop();
  await other.limiter.close();
  await ctx.dispose();
});

beforeEach(async () => {
  ctx.clock.advance(60_000);
  account = await api.account();
  owner = await signedIn('Nora Marlow', { accountId: account.id, role: 'owner' });
  supporter = await signedInSupporter('Priya Nair');
});

async function signedIn(
  name: string,
  member?: { accountId: AccountId; role: 'owner' | 'admin' | 'support' | 'viewer' },
): Promise<Person> {
  const { id, email } = await addPerson(ctx, { name, passwordHash });
  if (member) await addMember(ctx, { ...member, personId: id });
  else await addSupporter(ctx, id);
  return { id, name, email, session: await signIn(email) };
}

const signedInSupporter = (name: string) => signedIn(name);

async function signIn(email: string): Promise<string> {
  const response = await tryToSignIn(email);
  expect(response.status).toBe(201);
  return String(dataOf(response)['session_token']);
}

async function tryToSignIn(email: string): Promise<ApiResponse> {
  return await api.call('POST', '/api/dashboard/session', {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Client': `${crypto.randomUUID()} Firefox` },
    body: { email, password },
  });
}

/** The call comes from a page of this account; null: from a page of none. */
async function call(
  person: Pick<Person, 'session'>,
  [method, path, body]: Call,
  about: { on?: TestApi; page?: string | null } = {},
): Promise<ApiResponse> {
  const { on = api, page = account.id } = about;
  return await on.call(method, path, {
    token: ctx.dashboardCredential,
    headers: {
      'X-Dashboard-Session': person.session,
      ...(page !== null && { 'X-Dashboard-Account': page }),
    },
    ...(body !== undefined && { body }),
  });
}

const keys: Call = ['GET', '/api/v1/api-keys'];
const session: Call = ['GET', '/api/dashboard/session'];
const section: Call = ['GET', '/api/dashboard/installation-support'];
const visit: Call = ['POST', '/api/dashboard/support-visits', { reason }];
const set = (body: unknown): Call => ['PATCH', '/api/dashboard/installation-support', body];
const setSupport = (support: unknown): Call => ['PATCH', '/api/dashboard/account', { support }];
const switchOff = set({ is_allowed: false });
const search = (text: string): Call => [
  'GET',
  `/api/dashboard/accounts?search=${encodeURIComponent(text)}`,
];

const requestRotation = (key: { id: number }, member: { id: string }): Call => [
  'POST',
  `/api/dashboard/api-keys/${key.id}/rotation-requests`,
  { member: member.id, reason: 'lost' },
];

/** The responses of two processes. */
async function statuses(person: Person, asked: Call = keys): Promise<number[]> {
  return [(await call(person, asked)).status, (await call(person, asked, { on: otherApi })).status];
}

/** The response for an account that does not exist. */
async function responseOfNone(person: Person, asked: Call): Promise<[number, string]> {
  const { status, text } = await call(person, asked, { page: crypto.randomUUID() });
  return [status, text];
}

async function auditOf(action: string, accountId = account.id) {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), eq(auditEntries.action, action)))
    .orderBy(auditEntries.id);
}

describe('installation support', () => {
  test('opens every account after giving a reason, with the rights of the role support', async () => {
    expect((await call(supporter, visit)).status).toBe(201);
    expect(await statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await call(supporter, session))).toMatchObject({
      account: { id: account.id, support: { tokens: 'within_role', payloads: false } },
      role: 'support',
      accounts: [],
      is_installation_support: true,
      needs_reason: false,
    });
    for (const refused of [
      ['POST', '/api/v1/api-keys', { name: 'New', type: 'bot' }],
      ['GET', '/api/v1/audit-log'],
      ['GET', '/api/v1/conversations'],
      ['GET', '/api/dashboard/invitations'],
      switchOff,
    ] satisfies Call[]) {
      expect([refused[1], (await call(supporter, refused)).status]).toEqual([refused[1], 403]);
    }
  });

  test('is shown no token stronger than the role, whatever members with that role may see, until an owner raises theirs', async () => {
    const support = await signedIn('Tomás', { accountId: account.id, role: 'support' });
    const rotate = async (person: Person) => {
      const { id } = await account.key({ scopes: ['messages:write'] });
      return (await call(person, ['POST', `/api/v1/api-keys/${id}/rotate`, {}])).status;
    };
    await call(supporter, visit);
    await call(owner, setSupport({ tokens: 'webhook_and_bot' }));
    expect([await rotate(supporter), await rotate(support)]).toEqual([403, 201]);
    await call(owner, setSupport({ tokens: 'within_role' }));
    expect((await call(owner, set({ tokens: 'webhook_and_bot' }))).status).toBe(200);
    expect([await rotate(supporter), await rotate(support)]).toEqual([201, 403]);
  });

  test('reads messages of customers only if an owner lets them', async () => {
    await call(supporter, visit);
    expect(await statuses(supporter, ['GET', '/api/v1/conversations'])).toEqual([403, 403]);
    await call(owner, set({ payloads: true }));
    expect(await statuses(supporter, ['GET', '/api/v1/conversations'])).toEqual([200, 200]);
  });

  test('has the rights of a member where they are one, and needs no reason there', async () => {
    await addMember(ctx, { accountId: account.id, personId: supporter.id, role: 'viewer' });
    expect(await statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await call(supporter, session))).toMatchObject({
      role: 'viewer',
      needs_reason: false,
      is_installation_support: true,
    });
    const refused = await call(supporter, visit);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('You are a member of this account and need no reason'),
    ]);
    await call(owner, switchOff);
    expect(await statuses(supporter)).toEqual([200, 200]);
  });

  test('never counts as a member: not listed, not emailed, not asked to rotate, and cannot leave', async () => {
    const key = await account.key();
    await call(supporter, visit);
    const listed = itemsOf(await call(supporter, ['GET', '/api/dashboard/members']));
    expect(listed.map(({ name }) => name)).not.toContain(supporter.name);
    const rotators = itemsOf(
      await call(owner, ['GET', `/api/dashboard/api-keys/${key.id}/rotators`]),
    );
    expect(rotators.map(({ name }) => name)).not.toContain(supporter.name);
    expect(detailsOf(await call(owner, requestRotation(key, supporter)))).toHaveProperty('member');
    expect((await call(supporter, ['POST', '/api/dashboard/members/leave'])).status).toBe(404);
    expect((await call(owner, ['POST', '/api/dashboard/members/leave'])).status).toBe(200);
  });

  test('asks members to rotate keys that they may not, as members with the role support do', async () => {
    const key = await account.key();
    await call(supporter, visit);
    expect((await call(supporter, requestRotation(key, owner))).status).toBe(201);
    const open = itemsOf(await call(owner, ['GET', '/api/dashboard/rotation-requests']));
    expect(open).toMatchObject([{ requested_by: { name: supporter.name } }]);
  });

  test('is shown the members who can rotate a key by the members’ rights, not by its own', async () => {
    await account.member('support');
    const { id } = await account.key({ scopes: ['messages:write'] });
    await call(supporter, visit);
    await call(owner, set({ tokens: 'webhook_and_bot' }));
    const rotators = itemsOf(
      await call(supporter, ['GET', `/api/dashboard/api-keys/${id}/rotators`]),
    );
    expect(rotators.map(({ name }) => name)).toEqual(['Ida owner', 'Nora Marlow']);
  });
});

describe('before a reason was given', () => {
  test('nothing in the account can be read or done, and the response says what to do', async () => {
    const webhook = await account.webhook();
    for (const refused of [
      keys,
      ['GET', '/api/v1/webhooks'],
      ['GET', `/api/v1/webhooks/${webhook.id}/deliveries`],
      ['POST', `/api/v1/webhooks/${webhook.id}/test`, {}],
      ['GET', '/api/dashboard/members'],
      ['GET', '/api/dashboard/rotation-requests'],
      ['GET', '/api/dashboard/quotas'],
      section,
    ] satisfies Call[]) {
      const response = await call(supporter, refused);
      expect([refused[1], response.status]).toEqual([refused[1], 403]);
      expect(response.text).toContain('Say why you open this account first');
    }
    expect(dataOf(await call(supporter, session))).toMatchObject({
      account: { id: account.id, name: 'Marlow & Finch' },
      needs_reason: true,
    });
  });

  test('a reason has 3 to 500 characters on one line, and no token', async () => {
    for (const wrong of [
      '',
      'ab',
      '  a  ',
      'a'.repeat(501),
      'two\nlines',
      `leaked ${(await account.key()).token}`,
    ]) {
      const response = await call(supporter, ['POST', visit[1], { reason: wrong }]);
      expect([wrong, response.status]).toEqual([wrong, 422]);
      expect(detailsOf(response)).toHaveProperty('reason');
    }
    expect(await statuses(supporter)).toEqual([403, 403]);
    const longest = { reason: 'a'.repeat(500) };
    expect((await call(supporter, ['POST', visit[1], longest])).status).toBe(201);
  });

  test('the reason is audited in that account, with who gave it and until when it counts', async () => {
    await call(supporter, visit);
    expect(await auditOf('support_visit.opened')).toMatchObject([
      {
        actor: { kind: 'person', id: supporter.id, name: supporter.name },
        target: { kind: 'account', id: account.id, name: 'Marlow & Finch' },
        changes: { reason, ends_at: expect.stringMatching(/\+00:00$/) as unknown },
      },
    ]);
    const log = itemsOf(await call(owner, ['GET', '/api/v1/audit-log']));
    expect(log[0]).toMatchObject({ action: 'support_visit.opened', changes: { reason } });
  });
});

describe('a reason counts', () => {
  test('only in the account for which it was given', async () => {
    const elsewhere = await addAccount(ctx, 'Elsewhere');
    await call(supporter, visit);
    expect((await call(supporter, keys, { page: elsewhere })).status).toBe(403);
    expect(await auditOf('support_visit.opened', elsewhere)).toEqual([]);
  });

  test('only in the session in which it was given, and in several sessions at once', async () => {
    await call(supporter, visit);
    const second = { ...supporter, session: await signIn(supporter.email) };
    expect(await statuses(second)).toEqual([403, 403]);
    await call(second, visit);
    expect([await statuses(supporter), await statuses(second)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await call(supporter, ['DELETE', '/api/dashboard/session']);
    expect(await statuses(second)).toEqual([200, 200]);
    expect(dataOf(await call(owner, section))['people']).toContainEqual(
      expect.objectContaining({ name: supporter.name, last_reason: reason }),
    );
  });

  test('for 12 hours, to the millisecond, and then a new one is needed', async () => {
    await call(supporter, visit);
    ctx.clock.advance(12 * hourMs - 1);
    expect(await statuses(supporter)).toEqual([200, 200]);
    ctx.clock.advance(1);
    expect(await statuses(supporter)).toEqual([403, 403]);
    await call(supporter, ['POST', visit[1], { reason: 'Ticket 4813' }]);
    expect(await statuses(supporter)).toEqual([200, 200]);
    const kept = await ctx.db
      .select()
      .from(supportVisits)
      .where(eq(supportVisits.accountId, account.id));
    expect(kept.map((row) => row.reason)).toEqual(['Ticket 4813']);
    expect(await auditOf('support_visit.opened')).toHaveLength(2);
  });
});

describe('an account whose owner switched it off', () => {
  test('responds like one that does not exist, from their next request on in every process', async () => {
    await call(supporter, visit);
    expect(await statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await call(owner, switchOff))['is_allowed']).toBe(false);
    for (const on of [api, otherApi]) {
      for (const asked of [keys, session, visit, section, search('')]) {
        const { status, text } = await call(supporter, asked, { on });
        const none = await responseOfNone(supporter, asked);
        expect([asked[1], status, text]).toEqual([asked[1], ...none]);
        expect(status).toBe(404);
      }
    }
    const choose = (id: string): Call => [
      'POST',
      '/api/dashboard/session/account',
      { account: id },
    ];
    const elsewhere = { page: await addAccount(ctx, 'Elsewhere') };
    const refused = await call(supporter, choose(account.id), elsewhere);
    const none = await call(supporter, choose(crypto.randomUUID()), elsewhere);
    expect([refused.status, refused.text]).toEqual([404, none.text]);
  });

  test('is not found by them, neither by name nor by ID', async () => {
    const name = `Hidden ${crypto.randomUUID()}`;
    await ctx.db.update(accounts).set({ name }).where(eq(accounts.id, account.id));
    const found = async (text: string) =>
      itemsOf(await call(supporter, search(text), { page: null })).length;
    expect([await found(name), await found(account.id)]).toEqual([1, 1]);
    await call(owner, switchOff);
    expect([await found(name), await found(account.id)]).toEqual([0, 0]);
  });

  test('ends their visits and rotation requests, and needs a new reason when switched on again', async () => {
    const key = await account.key();
    await call(supporter, visit);
    await call(supporter, requestRotation(key, owner));
    await call(owner, switchOff);
    expect(itemsOf(await call(owner, ['GET', '/api/dashboard/rotation-requests']))).toEqual([]);
    expect(await auditOf('rotation_request.withdrawn')).toMatchObject([
      { actor: { id: owner.id } },
    ]);
    await call(owner, set({ is_allowed: true }));
    expect(await statuses(supporter)).toEqual([403, 403]);
    await call(supporter, visit);
    expect(await statuses(supporter)).toEqual([200, 200]);
  });

  test('can be switched off by owners only, which is audited once with the previous value', async () => {
    for (const role of ['admin', 'support', 'viewer'] as const) {
      const member = await signedIn(`Ida ${role}`, { accountId: account.id, role });
      const refused = await call(member, switchOff);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('Only an owner of the account can change this.'),
      ]);
    }
    await call(owner, set({ tokens: 'webhook_and_bot', payloads: true }));
    await call(owner, switchOff);
    await call(owner, switchOff);
    expect(await auditOf('account.installation_support_changed')).toMatchObject([
      {
        changes: {
          before: { is_allowed: true, tokens: 'within_role', payloads: false },
          after: { is_allowed: true, tokens: 'webhook_and_bot', payloads: true },
        },
      },
      {
        actor: { id: owner.id },
        changes: {
          before: { is_allowed: true, tokens: 'webhook_and_bot', payloads: true },
          after: { is_allowed: false, tokens: 'webhook_and_bot', payloads: true },
        },
      },
    ]);
  });

  test('leaves the other accounts as they are', async () => {
    const elsewhere = await api.account();
    await call(owner, switchOff);
    expect((await call(supporter, session, { page: elsewhere.id })).status).toBe(200);
  });
});

describe('the section of the team page', () => {
  test('shows everybody in the account who supports the installation, and when and why they opened it last', async () => {
    const viewer = await signedIn('Ida viewer', { accountId: account.id, role: 'viewer' });
    const both = await signedInSupporter('Samuel Lindqvist');
    await addMember(ctx, { accountId: account.id, personId: both.id, role: 'admin' });
    await call(supporter, ['POST', visit[1], { reason: 'The first' }]);
    ctx.clock.advance(hourMs);
    await call(supporter, visit);
    const shown = dataOf(await call(viewer, section));
    expect(shown).toMatchObject({ is_allowed: true, tokens: 'within_role', payloads: false });
    const people = shown['people'] as { id: string }[];
    expect(people.filter(({ id }) => [supporter.id, both.id].includes(id))).toEqual([
      {
        id: supporter.id,
        name: supporter.name,
        email: supporter.email,
        role: null,
        added_at: expect.any(String) as unknown,
        last_opened_at: expect.any(String) as unknown,
        last_reason: reason,
      },
      expect.objectContaining({
        id: both.id,
        role: 'admin',
        last_opened_at: null,
        last_reason: null,
      }),
    ]);
  });

  test('does not show visits to other accounts', async () => {
    const elsewhere = await api.account();
    await call(supporter, visit, { page: elsewhere.id });
    const { people } = dataOf(await call(owner, section));
    expect((people as { id: string }[]).find(({ id }) => id === supporter.id)).toMatchObject({
      last_opened_at: null,
      last_reason: null,
    });
  });
});

describe('somebody who is installation support and a member of no account', () => {
  test('signs in, finds an account, opens it, and is offered it the next time', async () => {
    expect((await call(supporter, session, { page: null })).status).toBe(401);
    const found = itemsOf(await call(supporter, search(account.id), { page: null }));
    expect(found).toEqual([{ id: account.id, name: 'Marlow & Finch', role: null }]);
    const choose: Call = ['POST', '/api/dashboard/session/account', { account: account.id }];
    expect(dataOf(await call(supporter, choose))).toMatchObject({ needs_reason: true });
    expect(await auditOf('session.account_chosen')).toMatchObject([
      { actor: { id: supporter.id } },
    ]);
    expect(dataOf(await call(supporter, session, { page: null }))).toMatchObject({
      account: { id: account.id },
    });
    expect(
      (await call(supporter, ['DELETE', '/api/dashboard/session'], { page: null })).status,
    ).toBe(204);
  });

  test('can change their password and see their sessions from an account, without a reason', async () => {
    expect((await call(supporter, ['GET', '/api/dashboard/sessions'])).status).toBe(200);
    const proof: Call = ['POST', '/api/dashboard/session/proof', { password }];
    expect((await call(supporter, proof)).status).toBe(201);
  });
});

describe('the search for an account', () => {
  test('is for installation support alone', async () => {
    expect((await call(owner, search(''))).status).toBe(403);
    const { token } = await account.key();
    expect((await api.call('GET', '/api/dashboard/accounts', { token })).status).toBe(403);
  });

  test('finds a part of the name in any case, without wildcards', async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    for (const name of [`${mark} Bakery`, `${mark} 100% Wool`, `${mark} 1000 Wool`]) {
      await addAccount(ctx, name);
    }
    const found = async (text: string) =>
      itemsOf(await call(supporter, search(`${mark} ${text}`))).map(({ name }) => name);
    expect(await found('bAKE')).toEqual([`${mark} Bakery`]);
    expect(await found('100% w')).toEqual([`${mark} 100% Wool`]);
    expect((await found('')).at(-1)).toBe(`${mark} Bakery`);
    expect(await found('')).toHaveLength(3);
    expect(await found('none')).toEqual([]);
  });

  test('finds their own accounts too, whether these allow installation support or not', async () => {
    const own = await addAccount(ctx, `Own ${crypto.randomUUID()}`);
    await addMember(ctx, { accountId: own, personId: supporter.id, role: 'viewer' });
    await ctx.db
      .update(accounts)
      .set({ allowsInstallationSupport: false })
      .where(eq(accounts.id, own));
    expect(itemsOf(await call(supporter, search(own)))).toMatchObject([
      { id: own, role: 'viewer' },
    ]);
  });

  test('finds no account that is being deleted, except their own to restore', async () => {
    await call(supporter, visit);
    const own = await addAccount(ctx, `Own ${crypto.randomUUID()}`);
    await addMember(ctx, { accountId: own, personId: supporter.id, role: 'owner' });
    const left = await addAccount(ctx, `Left ${crypto.randomUUID()}`);
    await addMember(ctx, { accountId: left, personId: supporter.id, role: 'admin' });
    const deletedAt = ctx.clock.now();
    for (const id of [account.id, own, left]) {
      await ctx.db.update(accounts).set({ deletedAt }).where(eq(accounts.id, id));
    }
    const found = async (id: string) =>
      itemsOf(await call(supporter, search(id), { page: null })).length;
    expect([await found(account.id), await found(left), await found(own)]).toEqual([0, 0, 1]);
    expect(await statuses(supporter)).toEqual([404, 404]);
  });

  test('allows 60 searches a minute for each person', async () => {
    for (let searches = 0; searches < 60; searches += 1) await call(supporter, search('x'));
    expect((await call(supporter, search('x'))).status).toBe(429);
    expect((await call(await signedInSupporter('Samuel'), search('x'))).status).toBe(200);
  });
});

describe('an operator', () => {
  test('adds an existing person or a new one, whose password is shown once', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const added = await addSupportAsOperator(ctx, email);
    expect(added).toEqual({
      kind: 'added',
      access: { kind: 'new', password: expect.any(String) as unknown },
    });
    expect(await addSupportAsOperator(ctx, email)).toEqual({ kind: 'unchanged' });

    const admin = await signedIn('Ida', { accountId: account.id, role: 'admin' });
    expect(await addSupportAsOperator(ctx, admin.email)).toEqual({
      kind: 'added',
      access: { kind: 'kept' },
    });
    expect(await auditOf('person.installation_support_added')).toMatchObject([
      { actor: { name: 'Operator' }, target: { id: admin.id }, changes: { email: admin.email } },
    ]);
    const elsewhere = await addAccount(ctx);
    expect((await call(admin, visit, { page: elsewhere })).status).toBe(201);
  });

  test('removes somebody from their next request on in every process, and they can no longer sign in', async () => {
    const key = await account.key();
    await call(supporter, visit);
    await call(supporter, requestRotation(key, owner));
    expect(await removeSupportAsOperator(other, supporter.email)).toEqual({
      kind: 'removed',
      isMember: false,
      endedSessions: 1,
    });
    expect(await statuses(supporter)).toEqual([401, 401]);
    expect((await tryToSignIn(supporter.email)).status).toBe(422);
    expect(await removeSupportAsOperator(ctx, supporter.email)).toEqual({ kind: 'no_supporter' });
    expect(itemsOf(await call(owner, ['GET', '/api/dashboard/rotation-requests']))).toEqual([]);
    expect(await auditOf('person.installation_support_removed')).toMatchObject([
      { actor: { name: 'Operator' }, target: { id: supporter.id, name: supporter.name } },
    ]);
  });

  test('signs out a removed person who can open no account, for example because it is being deleted', async () => {
    const deleted = await addAccount(ctx);
    await addMember(ctx, { accountId: deleted, personId: supporter.id, role: 'admin' });
    await ctx.db
      .update(accounts)
      .set({ deletedAt: ctx.clock.now() })
      .where(eq(accounts.id, deleted));
    expect(await removeSupportAsOperator(ctx, supporter.email)).toMatchObject({
      isMember: false,
      endedSessions: 1,
    });
  });

  test('leaves a removed person in the accounts they belong to, with their rotation requests there', async () => {
    const own = await api.account();
    const key = await own.key();
    const colleague = { id: (await own.member('owner')).personId };
    await addMember(ctx, { accountId: own.id, personId: supporter.id, role: 'admin' });
    await call(supporter, requestRotation(key, colleague), { page: own.id });
    await call(supporter, visit);
    expect(await removeSupportAsOperator(ctx, supporter.email)).toMatchObject({ isMember: true });
    expect(await statuses(supporter)).toEqual([404, 404]);
    const requests: Call = ['GET', '/api/dashboard/rotation-requests'];
    expect(itemsOf(await call(supporter, requests, { page: own.id }))).toHaveLength(1);
    expect(await auditOf('person.installation_support_removed', own.id)).toHaveLength(1);
    await addSupportAsOperator(ctx, supporter.email);
    expect(await statuses(supporter), 'the reason given before counts no more').toEqual([403, 403]);
  });
});

test('who is removed from their last account is signed out, and can sign in as installation support', async () => {
  await addMember(ctx, { accountId: account.id, personId: supporter.id, role: 'admin' });
  const path = `/api/dashboard/members/${supporter.id}`;
  expect((await call(owner, ['DELETE', path])).status).toBe(204);
  expect(
    await ctx.db.$count(
      members,
      and(eq(members.accountId, account.id), eq(members.personId, supporter.id)),
    ),
  ).toBe(0);
  const again = { ...supporter, session: await signIn(supporter.email) };
  expect(await statuses(again)).toEqual([403, 403]);
  expect((await call(again, visit)).status).toBe(201);
});
