import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { installationSupport } from '../../../db/schema/people/support.ts';
import { expireRotationRequests } from '../../../domain/rotation-requests/outcomes/expire-rotation-requests.ts';
import { mailOutcomes } from '../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { withSessionsById } from '../../../testing/sessions.ts';

type Person = Awaited<ReturnType<TestAccount['member']>>;

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: Person;
let admin: Person;
let support: Person;
/** A full key, whose token support must not see. */
let key: Awaited<ReturnType<TestAccount['key']>>;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  account = await api.account();
  owner = await account.member('owner');
  admin = await account.member('admin');
  support = await account.member('support');
  key = await account.key({ name: 'Production' });
});

/** Support asks the admin. */
async function asked(apiKey = key.id): Promise<RotationRequest> {
  const path = `/api/dashboard/api-keys/${apiKey}/rotation-requests`;
  const body = { member: admin.personId, reason: 'leaked', note: 'Between us.' };
  const response = await api.as(support).post(path, body);
  expect(response.status).toBe(201);
  return dataOf<RotationRequest>(response);
}

/** The admin declines. */
async function decline(uuid: string, input: unknown = { reason: 'later' }): Promise<ApiResponse> {
  return await api.as(admin).post(`/api/dashboard/rotation-requests/${uuid}/decline`, input);
}

async function read(person: Person, uuid: string): Promise<RotationRequest> {
  const response = await api.as(person).get(`/api/dashboard/rotation-requests/${uuid}`);
  expect(response.status).toBe(200);
  return dataOf<RotationRequest>(response);
}

async function history(person: Person, query = ''): Promise<RotationRequest[]> {
  const response = await api.as(person).get(`/api/dashboard/rotation-request-history${query}`);
  expect(response.status).toBe(200);
  return dataOf<RotationRequest[]>(response);
}

async function removeMember(person: Person): Promise<void> {
  expect((await api.as(owner).delete(`/api/dashboard/members/${person.personId}`)).status).toBe(
    204,
  );
}

/** The emails that the next round sends to the members, as "subject → address". */
async function told(): Promise<string[]> {
  await expireRotationRequests(ctx);
  const before = ctx.mails.length;
  await mailOutcomes(ctx);
  // Requests of other accounts of this suite expire as well.
  const addresses = [owner, admin, support].map(({ email }) => email);
  const mails = ctx.mails.slice(before).filter(({ to }) => addresses.includes(to));
  return mails.map(({ subject, to }) => `${subject} → ${to}`);
}

describe('the outcome of a request', () => {
  test('is the same for the person who asked, the named member and an owner, and hidden from others', async () => {
    const { uuid, created_at } = await asked();
    ctx.clock.advance(hourMs);
    const input = { reason: 'not_exposed', message: 'A sandbox key.\r\nSee the wiki.' };
    expect((await decline(uuid, input)).status).toBe(204);
    const seen = await read(support, uuid);
    expect(seen).toMatchObject({
      state: 'declined',
      created_at,
      closed_by: 'Ida admin',
      closed_because: null,
      decline: { reason: 'not_exposed', message: 'A sandbox key.\nSee the wiki.' },
    });
    expect(Date.parse(seen.closed_at ?? '')).toBe(ctx.clock.now().getTime());
    expect([await read(admin, uuid), await read(owner, uuid)]).toEqual([seen, seen]);
    expect(await history(support)).toEqual([seen]);

    const { id: personId, email } = await addPerson(ctx, { name: 'Sam' });
    await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    const colleague = { ...support, personId, personName: 'Sam', email };
    for (const other of [colleague, await (await api.account()).member('owner')]) {
      expect((await api.as(other).get(`/api/dashboard/rotation-requests/${uuid}`)).status).toBe(
        404,
      );
      expect(await history(other)).toEqual([]);
    }
    const entries = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id));
    expect(entries.at(-1)).toMatchObject({
      action: 'rotation_request.declined',
      changes: { reason: 'not_exposed' },
    });
    expect(JSON.stringify(entries)).not.toContain('sandbox');
  });

  test('is "expired" from the deadline on, even before that is stored', async () => {
    const { uuid, expires_at } = await asked();
    ctx.clock.advance(72 * hourMs);
    const seen = await read(admin, uuid);
    expect(seen).toMatchObject({ state: 'expired', closed_at: expires_at, closed_because: null });
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toEqual(seen);
  });

  test.each([
    ['the key expires', 'key_expired'],
    ['the member may no longer be shown the token', 'member_may_not'],
  ] as const)('says that it expired because %s', async (_what, because) => {
    const soon = new Date(ctx.clock.now().getTime() + hourMs).toISOString();
    const { id } = await account.key({ expiresAt: soon });
    const { uuid } = await asked(id);
    if (because === 'key_expired') ctx.clock.advance(hourMs);
    else await api.as(owner).patch(`/api/dashboard/members/${admin.personId}`, { role: 'support' });
    expect(await read(support, uuid)).toMatchObject({ state: 'expired', closed_because: because });
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toMatchObject({ state: 'expired', closed_because: because });
  });

  test('stays as it is while it can be done', async () => {
    const { uuid } = await asked();
    ctx.clock.advance(72 * hourMs - 1);
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toMatchObject({ state: 'open', closed_at: null });
    expect(await told()).toEqual([]);
  });

  test('is listed page by page, newest first, to owners and admins of everybody', async () => {
    const uuids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { uuid } = await asked();
      await api.as(support).delete(`/api/dashboard/rotation-requests/${uuid}`);
      uuids.unshift(uuid);
      ctx.clock.advance(count);
    }
    const response = await api.as(owner).get('/api/dashboard/rotation-request-history?limit=2');
    const { data, next_cursor: cursor } = response.body as {
      data: RotationRequest[];
      next_cursor: string;
    };
    const rest = await history(owner, `?limit=2&cursor=${cursor}`);
    const found = [...data, ...rest].map(({ uuid }) => uuid);
    expect(found.toSorted()).toEqual(uuids.toSorted());
    expect(
      (await api.as(owner).get('/api/dashboard/rotation-request-history?cursor=x')).status,
    ).toBe(422);
  });
});

describe('declining', () => {
  test('needs a known reason, and no token in the message', async () => {
    const { uuid } = await asked();
    const refused = async (input: unknown) => {
      const response = await decline(uuid, input);
      expect(response.status).toBe(422);
      return detailsOf(response);
    };
    expect(await refused({})).toEqual({ reason: ['Choose a reason.'] });
    expect(await refused({ reason: 'bored' })).toEqual({ reason: ['Choose a reason.'] });
    expect(await refused({ reason: 'other', message: key.token })).toEqual({
      message: ['Leave tokens and secrets out of the message.'],
    });
    expect(await read(admin, uuid)).toMatchObject({ state: 'open' });
  });
});

describe('an email about the outcome', () => {
  test.each([
    ['a declined request', decline, 'Your request to rotate the API key "Production" was declined'],
    [
      'a request that is done',
      (uuid: string) => api.as(admin).post(`/api/dashboard/rotation-requests/${uuid}/rotate`, {}),
      'The API key "Production" was rotated',
    ],
    [
      'a key that somebody else rotated',
      () => api.as(owner).post(`/api/v1/api-keys/${key.id}/rotate`, { grace_period_seconds: 0 }),
      'The API key "Production" was rotated',
    ],
    [
      'a key that somebody else revoked',
      () => api.as(owner).delete(`/api/v1/api-keys/${key.id}`),
      'The API key "Production" was revoked',
    ],
    [
      'a member who was removed',
      () => removeMember(admin),
      'The request to rotate the API key "Production" was withdrawn',
    ],
    [
      'a request nobody answered',
      () => Promise.resolve(ctx.clock.advance(72 * hourMs)),
      'The request to rotate the API key "Production" expired',
    ],
  ])('of %s goes once, to the person who asked', async (_what, end, subject) => {
    const { uuid } = await asked();
    await end(uuid);
    expect(await told()).toEqual([`${subject} → ${support.email}`]);
    const mail = ctx.mails.findLast(({ to }) => to === support.email);
    expect(mail?.text).toContain(`/a/${account.id}/settings/rotation-requests/${uuid}`);
    expect(JSON.stringify(mail)).not.toContain('Between us');
    expect(await told()).toEqual([]);
  });

  test.each([
    [
      'withdraws it',
      (uuid: string) => api.as(support).delete(`/api/dashboard/rotation-requests/${uuid}`),
    ],
    ['is removed', () => removeMember(support)],
  ])('goes to the named member if the person who asked %s', async (_what, end) => {
    await end((await asked()).uuid);
    expect(await told()).toEqual([
      `The request to rotate the API key "Production" was withdrawn → ${admin.email}`,
    ]);
  });

  test('goes to installation support that asked, unless they turned such emails off', async () => {
    const outcomes = [];
    for (const turnedOffMails of [[], ['rotation_requests' as const]]) {
      const { uuid } = await asked();
      await decline(uuid);
      const { personId } = support;
      const membership = and(eq(members.accountId, account.id), eq(members.personId, personId));
      await ctx.db.delete(members).where(membership);
      await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, personId));
      await ctx.db.insert(installationSupport).values({ personId, addedAt: ctx.clock.now() });
      outcomes.push(await told());
      await ctx.db.delete(installationSupport);
      await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    }
    const mail = `Your request to rotate the API key "Production" was declined → ${support.email}`;
    expect(outcomes).toEqual([[mail], []]);
  });

  test('goes to nobody who left meanwhile', async () => {
    const { uuid } = await asked();
    await decline(uuid);
    await removeMember(support);
    expect(await told()).toEqual([]);
  });

  test('goes to nobody who was not told of the request', async () => {
    for (let count = 0; count < 3; count += 1) {
      await api.as(support).delete(`/api/dashboard/rotation-requests/${(await asked()).uuid}`);
    }
    await told();
    const { uuid, mailed_at } = await asked();
    expect(mailed_at).toBeNull();
    await api.as(support).delete(`/api/dashboard/rotation-requests/${uuid}`);
    expect(await told()).toEqual([]);
  });

  test('counts towards the three emails a day that one person gets about one key', async () => {
    for (let count = 0; count < 4; count += 1) {
      const { uuid } = await asked();
      await decline(uuid);
    }
    expect(await told()).toHaveLength(3);
    expect(await told()).toEqual([]);
    ctx.clock.advance(dayMs);
    const { uuid } = await asked();
    await decline(uuid);
    expect(await told()).toHaveLength(1);
  });

  test('waits while the account is being deleted', async () => {
    const { uuid } = await asked();
    await decline(uuid);
    const of = eq(accounts.id, account.id);
    await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() }).where(of);
    expect(await told()).toEqual([]);
    await ctx.db.update(accounts).set({ deletedAt: null }).where(of);
    expect(await told()).toHaveLength(1);
  });
});

test('a request whose member left the account is stored as expired', async () => {
  const { uuid } = await asked();
  await ctx.db
    .delete(members)
    .where(and(eq(members.accountId, account.id), eq(members.personId, admin.personId)));
  expect(await told()).toEqual([
    `The request to rotate the API key "Production" expired → ${support.email}`,
  ]);
  expect(await read(support, uuid)).toMatchObject({ closed_because: 'member_left' });
});
