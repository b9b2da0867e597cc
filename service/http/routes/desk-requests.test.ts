import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskRequest } from '#lib/contract/support-desk/desk-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { installationSupport } from '../../db/schema/people/support.ts';
import { members } from '../../db/schema/people/members.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { dataOf, itemsOf, nextCursorOf } from '../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../testing/api.ts';
import { addMember, addPerson, addSupporter, addVisit } from '../../testing/records/people.ts';
import { addSessionsById } from '../../testing/sessions.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api } = useApi();
/** A member with the role support in both accounts. */
let asker: { personId: string };
let first: TestAccount;
let second: TestAccount;

beforeEach(async () => {
  const { id: personId } = await addPerson(ctx, { name: 'Priya' });
  asker = { personId };
  first = await newAccount('Halden Logistics');
  second = await newAccount('Kestrel Travel');
  for (const { id: accountId } of [first, second]) {
    await addMember(ctx, { accountId, personId, role: 'support' });
  }
});

async function newAccount(name: string): Promise<TestAccount> {
  const account = await api.account(name);
  await account.member('admin');
  return account;
}

/** Asks the admin of an account to rotate a new full key of that account. */
async function ask(account: TestAccount, as = asker): Promise<{ uuid: string; key: number }> {
  const key = await account.key({ name: 'Production' });
  const { personId: member } = await account.member('admin');
  const response = await api
    .as({ ...as, pageOf: account.id })
    .post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, {
      member,
      reason: 'lost',
      note: 'Ticket 4812',
    });
  expect(response.status, response.text).toBe(201);
  ctx.clock.advance(1000);
  return { uuid: dataOf<{ uuid: string }>(response).uuid, key: key.id };
}

async function list(query = '', as = asker): Promise<ApiResponse> {
  return await api.as(as).get(`/api/dashboard/support-desk/rotation-requests${query}`);
}

async function listed(query = '', as = asker): Promise<DeskRequest[]> {
  const response = await list(query, as);
  expect(response.status, response.text).toBe(200);
  return itemsOf<DeskRequest>(response);
}

const uuidsOf = (requests: readonly DeskRequest[]) => requests.map(({ uuid }) => uuid);

test('the requests of all accounts are in one list, newest first, with their outcomes', async () => {
  const declined = await ask(first);
  const done = await ask(second);
  const revoked = await ask(first);
  const withdrawn = await ask(second);
  const open = await ask(first);
  const member = await first.member('admin');
  await api.as(member).post(`/api/dashboard/rotation-requests/${declined.uuid}/decline`, {
    reason: 'later',
    message: 'On Monday.',
  });
  const owner = await second.member('owner');
  await api.as(owner).post(`/api/v1/api-keys/${done.key}/rotate`, {});
  await api.as(await first.member('owner')).delete(`/api/v1/api-keys/${revoked.key}`);
  await api
    .as({ ...asker, pageOf: second.id })
    .delete(`/api/dashboard/rotation-requests/${withdrawn.uuid}`);

  const requests = await listed();
  expect(requests).toMatchObject([
    { uuid: open.uuid, state: 'open', account: { id: first.id, name: 'Halden Logistics' } },
    { uuid: withdrawn.uuid, state: 'withdrawn', account: { name: 'Kestrel Travel' } },
    { uuid: revoked.uuid, state: 'revoked', closed_by: owner.personName },
    { uuid: done.uuid, state: 'done', account: { needs_reason: false, role: 'support' } },
    {
      uuid: declined.uuid,
      state: 'declined',
      member: { name: member.personName },
      target: { name: 'Production' },
      decline: { reason: 'later', message: 'On Monday.' },
    },
  ]);
  for (const { uuid, state } of requests) {
    expect(uuidsOf(await listed(`?state=${state}`)), state).toEqual([uuid]);
  }
  expect(await listed('?state=expired')).toEqual([]);
});

test('a request that has expired is listed as expired even before that is stored', async () => {
  const overdue = await ask(first);
  ctx.clock.advance(73 * hourMs);
  const ofLeaver = await ask(first);
  const open = await ask(second);
  const { personId } = await first.member('admin');
  await ctx.db
    .delete(members)
    .where(and(eq(members.accountId, first.id), eq(members.personId, personId)));
  expect(uuidsOf(await listed('?state=open'))).toEqual([open.uuid]);
  expect(uuidsOf(await listed('?state=expired'))).toEqual([ofLeaver.uuid, overdue.uuid]);
  expect(uuidsOf(await listed('?state=expired&limit=1'))).toEqual([ofLeaver.uuid]);
});

test('pages continue with older requests, also under a filter by state', async () => {
  const made: string[] = [];
  for (const account of [first, second, first, second, first]) {
    made.unshift((await ask(account)).uuid);
  }
  for (const query of ['?limit=2', '?limit=2&state=open']) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const response: ApiResponse = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      found.push(...uuidsOf(itemsOf<DeskRequest>(response)));
      cursor = nextCursorOf(response);
    }
    expect(found).toEqual(made);
  }
  expect((await list('?cursor=none')).status).toBe(422);
  expect((await list('?state=lost')).status).toBe(422);
});

test('nobody is shown the requests of others, regardless of their role', async () => {
  await ask(first);
  expect(await listed('', await first.member('owner'))).toEqual([]);
  expect(await listed('', await first.member('admin'))).toEqual([]);
});

describe('the requests of an account are left out once the person cannot open it:', () => {
  const without: [string, (id: AccountId, personId: string) => Promise<unknown>][] = [
    [
      'they were removed',
      async (id, personId) =>
        await ctx.db
          .delete(members)
          .where(and(eq(members.accountId, id), eq(members.personId, personId))),
    ],
    ['their role became viewer', async (id, personId) => await setRole(id, personId, 'viewer')],
    ['it is being deleted', async (id) => await change(id, { deletedAt: ctx.clock.now() })],
    [
      'it requires a second factor, which they lack',
      async (id) => await change(id, { secondFactorRequiredFrom: ctx.clock.now() }),
    ],
  ];

  test.each(without)('%s', async (_, prepare) => {
    await ask(first);
    const kept = await ask(second);
    await prepare(first.id, asker.personId);
    expect(uuidsOf(await listed())).toEqual([kept.uuid]);
    expect(uuidsOf(await listed('?state=open'))).toEqual([kept.uuid]);
  });

  test('it is closed to installation support, or they no longer support it', async () => {
    const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
    await addSupporter(ctx, personId);
    await addSessionsById(ctx, [personId]);
    const account = await newAccount('Brightwater Energy');
    await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
    const { uuid } = await ask(account, { personId });
    expect(await listed('', { personId })).toMatchObject([
      { uuid, account: { role: null, needs_reason: false } },
    ]);
    ctx.clock.advance(13 * hourMs);
    expect(await listed('', { personId })).toMatchObject([{ account: { needs_reason: true } }]);
    await change(account.id, { allowsInstallationSupport: false });
    expect(await listed('', { personId })).toEqual([]);
    await change(account.id, { allowsInstallationSupport: true });
    expect(await listed('', { personId })).toHaveLength(1);
    await ctx.db.delete(installationSupport).where(eq(installationSupport.personId, personId));
    expect(await listed('', { personId })).toEqual([]);
  });

  async function change(id: AccountId, values: Partial<typeof accounts.$inferInsert>) {
    await ctx.db.update(accounts).set(values).where(eq(accounts.id, id));
  }

  async function setRole(accountId: AccountId, personId: string, role: 'viewer') {
    await ctx.db
      .update(members)
      .set({ role })
      .where(and(eq(members.accountId, accountId), eq(members.personId, personId)));
  }
});

test('open requests stay listed, as withdrawn and without what the key is like since, after an owner closed the account to installation support', async () => {
  const { id: personId } = await addPerson(ctx, { name: 'Priya' });
  await addSupporter(ctx, personId);
  await addSessionsById(ctx, [personId]);
  const account = await newAccount('Orchard Foods');
  await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
  const supporter = { personId };
  const done = await ask(account, supporter);
  const admin = api.as(await account.member('admin'));
  await admin.post(`/api/v1/api-keys/${done.key}/rotate`);
  const open = await ask(account, supporter);
  expect(uuidsOf(await listed('', supporter))).toEqual([open.uuid, done.uuid]);

  const owner = api.as(await account.member('owner'));
  await owner.patch('/api/dashboard/installation-support', { is_allowed: false });
  for (const query of ['', '?state=withdrawn']) {
    expect(await listed(query, supporter)).toMatchObject([
      {
        uuid: open.uuid,
        state: 'withdrawn',
        closed_at: ctx.clock.apiTime(),
        closed_because: 'closed_to_support',
        account: { name: 'Orchard Foods' },
        target: { name: 'Production', last_four: null },
        can_open: false,
      },
    ]);
  }
  await owner.patch('/api/dashboard/installation-support', { is_allowed: true });
  expect(await listed('', supporter)).toMatchObject([
    { uuid: open.uuid, can_open: true },
    { uuid: done.uuid, can_open: true },
  ]);
});
