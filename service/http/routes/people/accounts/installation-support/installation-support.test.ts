import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../../../../db/schema/people/accounts.ts';
import { dataOf, detailsOf, itemsOf } from '../../../../../testing/api.ts';
import { addAccount, addMember } from '../../../../../testing/records/people.ts';
import {
  useSupport,
  requestRotation,
  search,
  session,
  set,
  switchOff,
  visit,
} from '../../../../../testing/http/support-world.ts';
import type { Call, SignedIn } from '../../../../../testing/http/support-world.ts';

const { ctx, world, account, owner, supporter } = useSupport();

const setSupport = (support: unknown): Call => ['PATCH', '/api/dashboard/account', { support }];

describe('installation support', () => {
  test('opens every account after giving a reason, with the rights of the role support', async () => {
    expect((await world.call(supporter, visit())).status).toBe(201);
    expect(await world.statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await world.call(supporter, session))).toMatchObject({
      account: { id: account.id, support: { tokens: 'within_role', payloads: false } },
      role: 'support',
      accounts: [],
      is_installation_support: true,
      needs_reason: false,
    });
  });

  test('is shown no token stronger than the role, no matter what members with that role may see, until an owner raises theirs', async () => {
    const support = await world.signedIn('Tomás', { accountId: account.id, role: 'support' });
    const rotate = async (person: SignedIn) => {
      const { id } = await account.key({ scopes: ['messages:write'] });
      return (await world.call(person, ['POST', `/api/v1/api-keys/${id}/rotate`, {}])).status;
    };
    await world.call(supporter, visit());
    await world.call(owner, setSupport({ tokens: 'webhook_and_bot' }));
    expect([await rotate(supporter), await rotate(support)]).toEqual([403, 201]);
    await world.call(owner, setSupport({ tokens: 'within_role' }));
    expect((await world.call(owner, set({ tokens: 'webhook_and_bot' }))).status).toBe(200);
    expect([await rotate(supporter), await rotate(support)]).toEqual([201, 403]);
  });

  test('reads messages of customers only if an owner lets them', async () => {
    await world.call(supporter, visit());
    expect(await world.statuses(supporter, ['GET', '/api/v1/conversations'])).toEqual([403, 403]);
    await world.call(owner, set({ payloads: true }));
    expect(await world.statuses(supporter, ['GET', '/api/v1/conversations'])).toEqual([200, 200]);
  });

  test('has the rights of a member where they are one, and needs no reason there', async () => {
    await addMember(ctx, { accountId: account.id, personId: supporter.id, role: 'viewer' });
    expect(await world.statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await world.call(supporter, session))).toMatchObject({
      role: 'viewer',
      needs_reason: false,
      is_installation_support: true,
    });
    const refused = await world.call(supporter, visit());
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('You are a member of this account and need no reason'),
    ]);
    await world.call(owner, switchOff);
    expect(await world.statuses(supporter)).toEqual([200, 200]);
  });

  test('never counts as a member: not listed, not emailed, not asked to rotate, and cannot leave', async () => {
    const key = await account.key();
    await world.call(supporter, visit());
    const listed = itemsOf(await world.call(supporter, ['GET', '/api/dashboard/members']));
    expect(listed.map(({ name }) => name)).not.toContain(supporter.name);
    const rotators = itemsOf(
      await world.call(owner, ['GET', `/api/dashboard/api-keys/${key.id}/rotators`]),
    );
    expect(rotators.map(({ name }) => name)).not.toContain(supporter.name);
    expect(detailsOf(await world.call(owner, requestRotation(key, supporter)))).toHaveProperty(
      'member',
    );
    expect((await world.call(supporter, ['POST', '/api/dashboard/members/leave'])).status).toBe(
      404,
    );
    expect((await world.call(owner, ['POST', '/api/dashboard/members/leave'])).status).toBe(200);
  });

  test('asks members to rotate keys that they may not, as members with the role support do', async () => {
    const key = await account.key();
    await world.call(supporter, visit());
    expect((await world.call(supporter, requestRotation(key, owner))).status).toBe(201);
    const open = itemsOf(await world.call(owner, ['GET', '/api/dashboard/rotation-requests']));
    expect(open).toMatchObject([{ requested_by: { name: supporter.name } }]);
  });

  test('that rotates a key is told to owners and admins, with who they are and why they came', async () => {
    const key = await account.key({ name: 'Small', scopes: ['webhooks:read'] });
    await world.call(supporter, visit('Ticket 4711: deploys fail'));
    const before = ctx.mails.length;
    const rotated = await world.call(supporter, ['POST', `/api/v1/api-keys/${key.id}/rotate`, {}]);
    expect(rotated.status).toBe(201);
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to)).toContain(owner.email);
    expect(mails[0]?.subject).toBe('Support rotated the API key "Small"');
    expect(mails[0]?.text).toContain(
      `Shown to: ${supporter.name} (${supporter.email}, installation support)\n`,
    );
    expect(mails[0]?.text).toContain('Ticket 4711: deploys fail');
  });

  test('is shown the members who can rotate a key by the members’ rights, not by its own', async () => {
    await account.member('support');
    const { id } = await account.key({ scopes: ['messages:write'] });
    await world.call(supporter, visit());
    await world.call(owner, set({ tokens: 'webhook_and_bot' }));
    const rotators = itemsOf(
      await world.call(supporter, ['GET', `/api/dashboard/api-keys/${id}/rotators`]),
    );
    expect(rotators.map(({ name }) => name)).toEqual(['Ida owner', 'Nora Marlow']);
  });
});

describe('someone who is installation support and a member of no account', () => {
  test('signs in, finds an account, opens it, and is offered it the next time', async () => {
    expect((await world.call(supporter, session, { page: null })).status).toBe(401);
    const found = itemsOf(await world.call(supporter, search(account.id), { page: null }));
    expect(found).toEqual([{ id: account.id, name: 'Marlow & Finch', role: null }]);
    const choose: Call = ['POST', '/api/dashboard/session/account', { account: account.id }];
    expect(dataOf(await world.call(supporter, choose))).toMatchObject({ needs_reason: true });
    expect(await world.auditOf('session.account_chosen')).toMatchObject([
      { actor: { id: supporter.id } },
    ]);
    expect(dataOf(await world.call(supporter, session, { page: null }))).toMatchObject({
      account: { id: account.id },
    });
    expect(
      (await world.call(supporter, ['DELETE', '/api/dashboard/session'], { page: null })).status,
    ).toBe(204);
  });
});

describe('the search for an account', () => {
  test('finds a part of the name in any case, without wildcards', async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    for (const name of [`${mark} Bakery`, `${mark} 100% Wool`, `${mark} 1000 Wool`]) {
      await addAccount(ctx, name);
    }
    const found = async (text: string) =>
      itemsOf(await world.call(supporter, search(`${mark} ${text}`))).map(({ name }) => name);
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
    expect(itemsOf(await world.call(supporter, search(own)))).toMatchObject([
      { id: own, role: 'viewer' },
    ]);
  });

  test('finds no account that is being deleted, except their own to restore', async () => {
    await world.call(supporter, visit());
    const own = await addAccount(ctx, `Own ${crypto.randomUUID()}`);
    await addMember(ctx, { accountId: own, personId: supporter.id, role: 'owner' });
    const left = await addAccount(ctx, `Left ${crypto.randomUUID()}`);
    await addMember(ctx, { accountId: left, personId: supporter.id, role: 'admin' });
    const deletedAt = ctx.clock.now();
    for (const id of [account.id, own, left]) {
      await ctx.db.update(accounts).set({ deletedAt }).where(eq(accounts.id, id));
    }
    const found = async (id: string) =>
      itemsOf(await world.call(supporter, search(id), { page: null })).length;
    expect([await found(account.id), await found(left), await found(own)]).toEqual([0, 0, 1]);
    expect(await world.statuses(supporter)).toEqual([404, 404]);
    const open = await world.call(supporter, session);
    expect(open.text).toContain('This account is being deleted. Its owners can restore it.');
  });

  test('allows 60 searches a minute for each person', async () => {
    for (let searches = 0; searches < 60; searches += 1) await world.call(supporter, search('x'));
    expect((await world.call(supporter, search('x'))).status).toBe(429);
    expect((await world.call(await world.signedIn('Samuel'), search('x'))).status).toBe(200);
  });
});
