import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addMember, addPerson, addVisit } from '../../../testing/records/people.ts';
import { withSessionsById } from '../../../testing/sessions.ts';
import { TestDesk, idsOf } from '../../../testing/http/test-desk.ts';

let ctx: TestContext;
let api: TestApi;
let supporter: { personId: string };
let desk: TestDesk;
let account: TestAccount;
let marker: string;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  desk = await TestDesk.open(ctx, api);
  ({ account, marker, supporter } = desk);
});

describe('what a person may do with a key matches what the service allows', () => {
  test('rotate within their role, request above it, and nothing as a viewer', async () => {
    const small = await account.key({ name: marker, scopes: ['webhooks:read'] });
    const full = await account.key({ name: marker });
    const mayOf = async (as: { personId: string }) =>
      Object.fromEntries(
        (await desk.resultsOf(marker, as)).keys.items.map(({ id, may }) => [id, may]),
      );
    expect(await mayOf(supporter)).toEqual({ [small.id]: 'rotate', [full.id]: 'request' });
    expect(await mayOf(await account.member('support'))).toEqual({
      [small.id]: 'rotate',
      [full.id]: 'request',
    });
    expect(await mayOf(await account.member('admin'))).toEqual({
      [small.id]: 'rotate',
      [full.id]: 'rotate',
    });
    expect(await mayOf(await account.member('viewer'))).toEqual({
      [small.id]: 'nothing',
      [full.id]: 'nothing',
    });
  });

  test('while a request is open, that it is, and which one only to those who may see it', async () => {
    const key = await account.key({ name: marker });
    const asker = await account.member('support');
    const admin = await account.member('admin');
    const openFor = async (as = supporter) => [
      (await desk.resultsOf(marker, as)).keys.items[0]?.open_request,
      (await desk.lookUp(key.token, as)).key?.open_request,
    ];
    expect(await openFor(asker)).toEqual([null, null]);
    const made = await api
      .as({ ...asker, pageOf: account.id })
      .post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, {
        member: admin.personId,
        reason: 'lost',
      });
    expect(made.status, made.text).toBe(201);
    const { uuid } = dataOf<{ uuid: string }>(made);
    expect(await openFor(asker)).toEqual([{ uuid }, { uuid }]);
    expect(await openFor(supporter)).toEqual([{ uuid: null }, { uuid: null }]);
    expect(await openFor(admin), 'an admin rotates the key').toEqual([null, null]);
    ctx.clock.advance(72 * hourMs);
    expect(await openFor(asker)).toEqual([null, null]);
  });

  test('installation support is told to give a reason first, until they gave one in this session', async () => {
    await account.key({ name: marker });
    const reasonFor = async () =>
      (await desk.resultsOf(marker)).keys.items[0]?.account.needs_reason;
    expect(await reasonFor()).toBe(true);
    const { personId } = supporter;
    await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
    expect(await reasonFor()).toBe(false);
    const owner = await account.member('owner');
    expect((await desk.resultsOf(marker, owner)).keys.items[0]?.account.needs_reason).toBe(false);
  });
});

test('installation support sees where a key was used and who revoked it only after giving a reason', async () => {
  const used = await account.key({ name: `Used ${marker}` });
  await api.as(used.token).get('/api/v1/api-key');
  await ctx.usage.flush();
  const ended = await account.key({ name: `Ended ${marker}` });
  const owner = await account.member('owner');
  await api.as(owner).delete(`/api/v1/api-keys/${ended.id}`);
  const found = async (as = supporter) => {
    const { keys } = await desk.resultsOf(marker, as);
    const looked = (await desk.lookUp(used.token, as)).key;
    return [...keys.items, looked].map((key) => [
      key?.status,
      key?.last_used_at === null ? null : 'used',
      key?.last_used_ip,
      key?.revoked_by,
    ]);
  };
  const told = [
    ['active', 'used', '203.0.113.7', null],
    ['revoked', null, null, owner.personName],
    ['active', 'used', '203.0.113.7', null],
  ];
  expect(await found()).toEqual([
    ['active', 'used', null, null],
    ['revoked', null, null, null],
    ['active', 'used', null, null],
  ]);
  expect(await found(await account.member('viewer'))).toEqual(told);
  const { personId } = supporter;
  await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
  expect(await found()).toEqual(told);
});

describe('nothing is found in an account that the person cannot open:', () => {
  test.each<[string, (id: AccountId) => Promise<{ personId: string }>]>([
    [
      'installation support, where it is switched off',
      async (id) => {
        await change(id, { allowsInstallationSupport: false });
        return supporter;
      },
    ],
    [
      'installation support, where it is being deleted',
      async (id) => {
        await change(id, { deletedAt: ctx.clock.now() });
        return supporter;
      },
    ],
    [
      'installation support without a second factor, where it is required',
      async (id) => {
        await change(id, { secondFactorRequiredFrom: ctx.clock.now() });
        return supporter;
      },
    ],
    ['a member of another account', async () => await (await api.account()).member('owner')],
    ['somebody of no account', async () => ({ personId: (await addPerson(ctx)).id })],
  ])('%s', async (_, prepare) => {
    const key = await account.key({ name: marker });
    await account.webhook({ name: marker });
    const person = await addPerson(ctx, { name: marker });
    await addMember(ctx, { accountId: account.id, personId: person.id, role: 'viewer' });
    const asker = await prepare(account.id);
    const results = await desk.resultsOf(marker, asker);
    for (const { items } of Object.values(results)) expect(items).toEqual([]);
    expect((await desk.resultsOf(`…${key.lastFour}`, asker)).keys.items).not.toContainEqual(
      expect.objectContaining({ id: key.id }),
    );
    expect(await desk.lookUp(key.token, asker)).toEqual(
      await desk.lookUp('sk_live_unknown', asker),
    );
  });

  test('the session is older than the account allows', async () => {
    await account.key({ name: marker });
    await change(account.id, { sessionHours: 8 });
    const old = await api.ctx.auth.session(supporter.personId);
    if (!old) throw new Error('no session');
    const createdAt = new Date(ctx.clock.now().getTime() - 8 * hourMs);
    const auth = { ...ctx.auth, session: async () => ({ ...old, createdAt }) };
    const aged = new TestApi({ ...ctx, auth });
    const response = await aged
      .as(supporter)
      .post('/api/dashboard/support-desk/searches', { search: marker });
    expect(response.body).toMatchObject({ data: { keys: { items: [] }, accounts: { items: [] } } });
  });

  async function change(id: AccountId, values: Partial<typeof accounts.$inferInsert>) {
    await ctx.db.update(accounts).set(values).where(eq(accounts.id, id));
  }
});

test('members find the contents of all their accounts, and nothing else', async () => {
  const { id: personId } = await addPerson(ctx);
  const first = await api.account();
  const second = await api.account();
  for (const { id: accountId } of [first, second]) {
    await addMember(ctx, { accountId, personId, role: 'support' });
  }
  await account.key({ name: marker });
  const mine = [await first.key({ name: marker }), await second.key({ name: marker })];
  const { keys } = await desk.resultsOf(marker, { personId });
  expect(idsOf(keys)).toEqual(mine.map(({ id }) => id).toReversed());
});
