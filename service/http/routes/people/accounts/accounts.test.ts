import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import { addAccount, addMember } from '../../../../testing/records/people.ts';
import { addPasskey } from '../../../../testing/records/second-factors.ts';
import { TestPerson } from '../../../../testing/http/test-person.ts';
import { useApi } from '../../../../testing/use-api.ts';

const path = '/api/dashboard/account';

const { ctx, api, account } = useApi({ accountFor: 'test' });

async function read(): Promise<Record<string, unknown>> {
  return dataOf(await api.as(await account.member('viewer')).get(path));
}

async function update(body: unknown, role: Role = 'owner'): Promise<ApiResponse> {
  return await api.as(await account.member(role)).patch(path, body);
}

describe('the settings of an account', () => {
  test('can be changed by owners, each by itself or together', async () => {
    expect(await read()).toEqual({
      id: account.id,
      name: 'Marlow & Finch',
      support: { tokens: 'within_role', payloads: false, error_texts: false },
      second_factor_required_from: null,
      session_hours: 168,
    });
    expect((await update({ name: 'Mine' }, 'admin')).text).toContain(
      'Only an owner of the account can change this.',
    );
    expect((await update({ name: ' Marlow ' })).status).toBe(200);
    const response = await update({
      support: { tokens: 'webhook_and_bot' },
      second_factor_required_from: '2026-12-01T01:00:00+01:00',
      session_hours: 12,
    });
    expect(response.status).toBe(200);
    const settings = {
      id: account.id,
      name: 'Marlow',
      support: { tokens: 'webhook_and_bot', payloads: false, error_texts: false },
      second_factor_required_from: '2026-12-01T00:00:00.000+00:00',
      session_hours: 12,
    };
    expect(dataOf(response)).toEqual(settings);
    expect(await read()).toEqual(settings);
    expect(dataOf(await update({ second_factor_required_from: null }))).toEqual({
      ...settings,
      second_factor_required_from: null,
    });
  });

  test('are audited with what was before and after, unless nothing changed', async () => {
    await update({ name: 'Marlow', session_hours: 12 });
    await update({ name: 'Marlow', session_hours: 12 });
    await update({ second_factor_required_from: '2026-12-01T00:00:00Z', session_hours: 12 });
    const entries = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id))
      .orderBy(auditEntries.id);
    expect(entries.map(({ action, target, changes }) => [action, target.name, changes])).toEqual([
      [
        'account.updated',
        'Marlow',
        {
          before: { name: 'Marlow & Finch', session_hours: 168 },
          after: { name: 'Marlow', session_hours: 12 },
        },
      ],
      [
        'account.updated',
        'Marlow',
        {
          before: { second_factor_required_from: null },
          after: { second_factor_required_from: '2026-12-01T00:00:00.000+00:00' },
        },
      ],
    ]);
  });

  test('refuse what they do not know', async () => {
    expect(detailsOf(await update({}))).toHaveProperty('body');
    expect(detailsOf(await update({ name: '' }))).toHaveProperty('name');
    expect(detailsOf(await update({ session_hours: 2 }))).toEqual({
      session_hours: ['Use one of 1, 4, 8, 12, 24, 72 and 168.'],
    });
    expect(detailsOf(await update({ second_factor_required_from: 'soon' }))).toHaveProperty(
      'second_factor_required_from',
    );
  });
});

describe('how long sessions last', () => {
  async function callIn(
    session: string,
    accountId: string,
    [method, to, body]: [string, string, unknown?],
  ): Promise<ApiResponse> {
    const person = api.as({ personId: session, pageOf: accountId });
    return await person.call(method, `/api/dashboard/${to}`, { body });
  }

  async function signedInOwner() {
    const [here, elsewhere] = [await addAccount(ctx), await addAccount(ctx, 'Elsewhere')];
    const person = { accountId: here, role: 'owner' } as const;
    const { id: personId, session } = await TestPerson.signedIn(ctx, person);
    await addMember(ctx, { accountId: elsewhere, personId, role: 'owner' });
    return { here, elsewhere, personId, session };
  }

  test('is limited by each account for itself: an older session opens only the others, and ends with the last', async () => {
    const { here, elsewhere, personId, session } = await signedInOwner();
    ctx.clock.advance(4 * hourMs - 1);
    const change = { session_hours: 4 };
    // The password was given too long ago for this act.
    expect((await callIn(session, here, ['PATCH', 'account', change])).status).toBe(403);
    await ctx.db
      .update(sessions)
      .set({ provedAt: ctx.clock.now() })
      .where(eq(sessions.personId, personId));
    expect((await callIn(session, here, ['PATCH', 'account', change])).status).toBe(200);
    expect((await callIn(session, here, ['GET', 'session'])).status).toBe(200);

    ctx.clock.advance(1);
    expect((await callIn(session, elsewhere, ['GET', 'session'])).status).toBe(200);
    expect((await callIn(session, here, ['GET', 'session'])).status).toBe(401);
    // A page of another site can make the browser open this account, which must not sign it out.
    expect((await callIn(session, elsewhere, ['GET', 'session'])).status).toBe(200);
    const ofSession = await api.as({ personId: session }).get('/api/dashboard/session');
    expect(dataOf(ofSession)).toMatchObject({ account: { id: elsewhere } });

    await ctx.db.update(accounts).set({ sessionHours: 4 }).where(eq(accounts.id, elsewhere));
    expect((await callIn(session, elsewhere, ['GET', 'session'])).status).toBe(401);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
  });

  test('is shown for each session according to the present account', async () => {
    const { here, elsewhere, session } = await signedInOwner();
    const signedInAt = ctx.clock.now().getTime();
    await callIn(session, here, ['PATCH', 'account', { session_hours: 1 }]);
    const end = new Date(signedInAt + hourMs).toISOString().replace('Z', '+00:00');
    for (const [accountId, expiresAt] of [
      [here, end],
      [elsewhere, expect.not.stringMatching(end)],
    ] as const) {
      const { body: one } = await callIn(session, accountId, ['GET', 'session']);
      expect(one).toMatchObject({ data: { expires_at: expiresAt as string } });
      const { body: all } = await callIn(session, accountId, ['GET', 'sessions']);
      expect(all).toMatchObject({ data: [{ expires_at: expiresAt as string }] });
    }
  });
});

test('the usage of an account counts active keys by their scopes, and its webhooks', async () => {
  const all = await account.key();
  await account.key();
  await account.key({ scopes: ['webhooks:manage'] });
  await account.key({ scopes: ['webhooks:read', 'webhooks:manage'] });
  const revoked = await account.key({ scopes: ['events:read'] });
  await all.delete(`/api/v1/api-keys/${revoked.id}`);
  await account.webhook();
  await (await api.account()).key();

  const response = await api.as(await account.member('viewer')).get(`${path}/usage`);
  const { live_keys: groups, webhooks } = dataOf(response);
  expect(webhooks).toBe(1);
  expect(groups).toHaveLength(2);
  expect(groups).toContainEqual({ scopes: ['webhooks:read', 'webhooks:manage'], count: 2 });
  expect(groups).toContainEqual({ scopes: expect.arrayContaining(['audit-log:read']), count: 2 });
});

test('members without a second factor are told by email from when on the account requires one, once for each date', async () => {
  const viewer = await account.member('viewer');
  const [owner, admin] = [await account.member('owner'), await account.member('admin')];
  await addPasskey(ctx, admin.personId);
  for (const day of ['2026-12-01', '2026-12-01', '2026-12-02']) {
    await update({ second_factor_required_from: `${day}T00:00:00Z` });
  }
  await update({ second_factor_required_from: null });
  await ctx.mail.close();
  const team = [owner, admin, viewer].map(({ email }) => email);
  const mails = ctx.mails.filter(
    ({ kind, to }) => kind === 'second_factor.required' && team.includes(to),
  );
  const told = [owner, viewer, owner, viewer].map(({ email }) => email);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(told.toSorted());
  expect(mails[0]?.text).toContain('1 Dec 2026');
});
