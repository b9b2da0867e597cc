import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { lastFourOutsideIds } from '../../../testing/api-keys/tokens.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import { addEvent } from '../../../testing/records/deliveries.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { useDesk, idsOf } from '../../../testing/http/test-desk.ts';

const { ctx, api, desk, account, supporter } = useDesk();

describe('what a person may do with a key matches what the service allows', () => {
  beforeEach(() => desk.giveReason());

  test('rotate within their role, request above it, and nothing as a viewer', async () => {
    const small = await account.key({ name: desk.marker, scopes: ['webhooks:read'] });
    const full = await account.key({ name: desk.marker });
    const mayOf = async (as: { personId: string }) =>
      Object.fromEntries(
        (await desk.resultsOf(desk.marker, { as })).keys.items.map(({ id, details }) => [
          id,
          details?.may,
        ]),
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
    const key = await account.key({ name: desk.marker });
    const asker = await account.member('support');
    const admin = await account.member('admin');
    const openFor = async (as = supporter) => [
      (await desk.resultsOf(desk.marker, { as })).keys.items[0]?.details?.open_request,
      (await desk.lookUp(key.token, as)).key?.details?.open_request,
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
});

test('installation support is told to give a reason first, until they gave one in this session', async () => {
  await account.key({ name: desk.marker });
  const reasonFor = async () =>
    (await desk.resultsOf(desk.marker)).keys.items[0]?.account.needs_reason;
  expect(await reasonFor()).toBe(true);
  await desk.giveReason();
  expect(await reasonFor()).toBe(false);
  const owner = await account.member('owner');
  expect(
    (await desk.resultsOf(desk.marker, { as: owner })).keys.items[0]?.account.needs_reason,
  ).toBe(false);
});

describe('before installation support gave a reason, a search', () => {
  const url = 'https://hooks.example.com/services/T024?token=k3y';
  let email: string;
  beforeEach(async () => {
    email = `sara@${desk.marker}.example`;
    const { id: personId } = await addPerson(ctx, { name: `Sara ${desk.marker}`, email });
    await addMember(ctx, { accountId: account.id, personId, role: 'admin' });
  });

  test('names accounts, keys, webhooks and people, and shows nothing else of them but hosts of URLs', async () => {
    const key = await account.key({ name: `Key ${desk.marker}` });
    await account.webhook({ name: `Hook ${desk.marker}`, url });
    const found = async (as = supporter) => {
      const { keys, webhooks, people } = await desk.resultsOf(desk.marker, { as });
      const { key: ofToken, ...token } = await desk.lookUp(key.token, as);
      return [...keys.items, ...webhooks.items, ...people.items, { ...ofToken, token }];
    };
    const needsReason = { account: { id: account.id, needs_reason: true }, details: null };
    expect(await found()).toMatchObject([
      { ...needsReason, name: `Key ${desk.marker}` },
      { ...needsReason, name: `Hook ${desk.marker}`, url: 'https://hooks.example.com/…' },
      { ...needsReason, name: `Sara ${desk.marker}` },
      { ...needsReason, name: `Key ${desk.marker}`, token: { state: 'live', valid_until: null } },
    ]);
    const shown = JSON.stringify(await found());
    for (const hidden of [email, 'T024', 'k3y']) expect(shown).not.toContain(hidden);
    expect(shown).not.toMatch(lastFourOutsideIds(key.lastFour));

    await desk.giveReason();
    expect(await found()).toMatchObject([
      { account: { needs_reason: false }, details: { last_four: key.lastFour, status: 'active' } },
      { url: 'https://hooks.example.com/…', details: { status: 'active' } },
      { details: { email, role: 'admin' } },
      { details: { status: 'active' } },
    ]);
    expect(await found(await account.member('viewer'))).toMatchObject([
      { details: { last_four: key.lastFour } },
      { url: 'https://hooks.example.com/…' },
      { details: { email } },
      {},
    ]);
    expect((await found(await account.member('admin')))[1]).toMatchObject({ url });
  });

  test('finds an email address only by the whole of it', async () => {
    const peopleFor = async (text: string) => (await desk.resultsOf(text)).people.items.length;
    expect(await peopleFor(`${desk.marker}.exam`)).toBe(0);
    expect(await peopleFor(`sara@${desk.marker}`)).toBe(0);
    expect(await peopleFor(email.toUpperCase())).toBe(1);
    await desk.giveReason();
    expect(await peopleFor(`${desk.marker}.exam`)).toBe(1);
  });
});

test('people who may not change webhooks find one by its host or its whole URL, not by a part of its path or query', async () => {
  const host = `${desk.marker}.example.com`;
  const url = `https://${host}/services/T024?token=k3y`;
  await account.webhook({ name: 'Orders', url });
  const admin = await account.member('admin');
  for (const as of [supporter, await account.member('support'), await account.member('viewer')]) {
    const finds = async (text: string) =>
      (await desk.resultsOf(text, { as })).webhooks.items.length;
    for (const part of [
      `${host}/services`,
      `${desk.marker}.example.com/services/T024`,
      `${url}2`,
    ]) {
      expect(await finds(part), part).toBe(0);
      expect((await desk.resultsOf(url.slice(0, -1), { as: admin })).webhooks.items).toHaveLength(
        1,
      );
    }
    for (const whole of [
      host,
      `HTTPS://${desk.marker}`,
      url,
      url.replace(host, host.toUpperCase()),
    ]) {
      expect(await finds(whole), whole).toBe(1);
    }
  }
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
    ['someone of no account', async () => ({ personId: (await addPerson(ctx)).id })],
  ])('%s', async (_, prepare) => {
    const key = await account.key({ name: desk.marker });
    await account.webhook({ name: desk.marker });
    const person = await addPerson(ctx, { name: desk.marker });
    await addMember(ctx, { accountId: account.id, personId: person.id, role: 'viewer' });
    const event = await addEvent(ctx, account.id);
    const asker = await prepare(account.id);
    const named = await desk.resultsOf(`msg_${event.uuid}`, { as: asker });
    expect(named.deliveries.items).toEqual([]);
    const results = await desk.resultsOf(desk.marker, { as: asker });
    for (const { items } of Object.values(results)) expect(items).toEqual([]);
    expect((await desk.resultsOf(`…${key.lastFour}`, { as: asker })).keys.items).not.toContainEqual(
      expect.objectContaining({ id: key.id }),
    );
    expect(await desk.lookUp(key.token, asker)).toEqual(
      await desk.lookUp('sk_live_unknown', asker),
    );
  });

  test('the session is older than the account allows', async () => {
    await account.key({ name: desk.marker });
    await change(account.id, { sessionHours: 8 });
    const old = await api.ctx.auth.session(supporter.personId);
    if (!old) throw new Error('no session');
    const createdAt = new Date(ctx.clock.now().getTime() - 8 * hourMs);
    const auth = { ...ctx.auth, session: async () => ({ ...old, createdAt }) };
    const aged = new TestApi({ ...ctx, auth });
    const response = await aged
      .as(supporter)
      .post('/api/dashboard/support-desk/searches', { search: desk.marker });
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
  await account.key({ name: desk.marker });
  const mine = [await first.key({ name: desk.marker }), await second.key({ name: desk.marker })];
  const { keys } = await desk.resultsOf(desk.marker, { as: { personId } });
  expect(idsOf(keys)).toEqual(mine.map(({ id }) => id).toReversed());
});
