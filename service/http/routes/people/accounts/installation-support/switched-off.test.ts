import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { accounts } from '../../../../../db/schema/people/accounts.ts';
import { dataOf, itemsOf } from '../../../../../testing/api.ts';
import { addAccount, addMember } from '../../../../../testing/records/people.ts';
import {
  useSupport,
  keys,
  reason,
  requestRotation,
  search,
  section,
  session,
  set,
  switchOff,
  visit,
} from '../../../../../testing/http/support-world.ts';
import type { Call } from '../../../../../testing/http/support-world.ts';

const { ctx, world, account, owner, supporter } = useSupport();

describe('an account whose owner switched it off', () => {
  test('responds like one that does not exist, from their next request on in every process', async () => {
    await world.call(supporter, visit());
    expect(await world.statuses(supporter)).toEqual([200, 200]);
    expect(dataOf(await world.call(owner, switchOff))['is_allowed']).toBe(false);
    expect(await world.statuses(supporter)).toEqual([404, 404]);
    supporter.session = await world.signIn(supporter.email);
    for (const on of [world.api, world.otherApi]) {
      for (const asked of [keys, session, visit(), section, search('')]) {
        const { status, text } = await world.call(supporter, asked, { on });
        const none = await world.responseOfNone(supporter, asked);
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
    const refused = await world.call(supporter, choose(account.id), elsewhere);
    const none = await world.call(supporter, choose(crypto.randomUUID()), elsewhere);
    expect([refused.status, refused.text]).toEqual([404, none.text]);
  });

  test('says when it was closed in the sessions in which they had it open, and in no others', async () => {
    await world.call(supporter, visit());
    const open = { ...supporter, session: await world.signIn(supporter.email) };
    ctx.clock.advance(11 * hourMs);
    await world.call(open, visit());
    // This session goes on after its visit has ended.
    await world.call(supporter, session);
    const ended = { ...supporter, session: await world.signIn(supporter.email) };
    await world.call(ended, visit());
    await world.call(ended, ['DELETE', '/api/dashboard/support-visits']);
    ctx.clock.advance(hourMs);
    owner.session = await world.signIn(owner.email);
    await world.call(owner, switchOff);
    const closedAt = ctx.clock.apiTime();
    ctx.clock.advance(60_000);
    const closed = `An owner closed this account to installation support at ${closedAt}.`;
    expect((await world.call(open, session)).text).toContain(closed);
    expect((await world.call(open, keys)).text).toContain(closed);
    const none = await world.responseOfNone(supporter, session);
    for (const person of [supporter, ended]) {
      const { status, text } = await world.call(person, session);
      expect([status, text]).toEqual(none);
    }
    await world.call(owner, set({ is_allowed: true }));
    expect(dataOf(await world.call(open, session))).toMatchObject({ needs_reason: true });
  });

  test('is not found by them, neither by name nor by ID', async () => {
    const name = `Hidden ${crypto.randomUUID()}`;
    await ctx.db.update(accounts).set({ name }).where(eq(accounts.id, account.id));
    const found = async (text: string) =>
      itemsOf(await world.call(supporter, search(text), { page: null })).length;
    expect([await found(name), await found(account.id)]).toEqual([1, 1]);
    await world.call(owner, switchOff);
    expect([await found(name), await found(account.id)]).toEqual([0, 0]);
  });

  test('ends their visits and rotation requests, and needs a new reason when switched on again', async () => {
    const key = await account.key();
    await world.call(supporter, visit());
    await world.call(supporter, requestRotation(key, owner));
    await world.call(owner, switchOff);
    expect(itemsOf(await world.call(owner, ['GET', '/api/dashboard/rotation-requests']))).toEqual(
      [],
    );
    expect(await world.auditOf('rotation_request.withdrawn')).toMatchObject([
      { actor: { id: owner.id } },
    ]);
    await world.call(owner, set({ is_allowed: true }));
    expect(await world.statuses(supporter)).toEqual([403, 403]);
    await world.call(supporter, visit());
    expect(await world.statuses(supporter)).toEqual([200, 200]);
  });

  test('is audited once, with the previous value', async () => {
    await world.call(owner, set({ tokens: 'webhook_and_bot', payloads: true }));
    await world.call(owner, switchOff);
    await world.call(owner, switchOff);
    expect(await world.auditOf('account.installation_support_changed')).toMatchObject([
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
});

describe('the section of the team page', () => {
  test('shows everyone in the account who supports the installation, and when and why they opened it last', async () => {
    const viewer = await world.signedIn('Ida viewer', { accountId: account.id, role: 'viewer' });
    const both = await world.signedIn('Samuel Lindqvist');
    await addMember(ctx, { accountId: account.id, personId: both.id, role: 'admin' });
    await world.call(supporter, visit('The first ticket'));
    ctx.clock.advance(hourMs);
    await world.call(supporter, visit());
    const shown = dataOf<{ people: { id: string }[] }>(await world.call(viewer, section));
    expect(shown).toMatchObject({ is_allowed: true, tokens: 'within_role', payloads: false });
    expect(shown.people.filter(({ id }) => [supporter.id, both.id].includes(id))).toEqual([
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
    const elsewhere = await world.api.account();
    await world.call(supporter, visit(), { page: elsewhere.id });
    const { people } = dataOf<{ people: { id: string }[] }>(await world.call(owner, section));
    expect(people.find(({ id }) => id === supporter.id)).toMatchObject({
      last_opened_at: null,
      last_reason: null,
    });
  });
});
