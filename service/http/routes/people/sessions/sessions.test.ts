import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { addAccount, addMember } from '../../../../testing/records/people.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { TestPerson, usePerson, auditOf } from '../../../../testing/http/test-person.ts';

const { ctx, account, person } = usePerson('admin');

const unknown = crypto.randomUUID();
const someTime: unknown = expect.stringMatching(/\+00:00$/);

describe('signing in again in the same browser', () => {
  test('ends the session that it had, no matter who signs in, and no other one', async () => {
    const other = await TestPerson.add(ctx, { accountId: account.id, role: 'admin' });
    const [elsewhere, first] = [await person.openSession(), await person.openSession()];
    const second = await person.openSession({ earlierSession: first });
    expect(await person.isSignedIn(first)).toBe(false);
    const third = await other.openSession({ earlierSession: second });
    expect(await person.isSignedIn(second)).toBe(false);
    expect(await other.isSignedIn(third)).toBe(true);
    expect(await person.isSignedIn(elsewhere)).toBe(true);
    expect((await auditOf(ctx, account.id)).slice(2)).toMatchObject([
      { action: 'session.created', by: person.id },
      { action: 'session.ended', by: person.id },
      { action: 'session.created', by: other.id },
      { action: 'session.ended', by: person.id },
    ]);
  });

  test('does not end it if the password is wrong, and succeeds if that session has ended', async () => {
    const session = await person.openSession();
    const refused = await person.signIn({
      password: 'wrong horse battery',
      earlierSession: session,
    });
    expect(refused.status).toBe(422);
    expect(await person.isSignedIn(session)).toBe(true);
    await person.in(session).delete('/api/dashboard/session');
    expect(await person.openSession({ earlierSession: session })).not.toBe('');
    expect(await person.openSession({ earlierSession: 'no.token' })).not.toBe('');
  });
});

describe('the account of a session', () => {
  const choose = (session: string, accountId: string) =>
    person.in(session).post('/api/dashboard/session/account', { account: accountId });

  test('can be changed to another of one’s own, for this session, and is audited there', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId: person.id, role: 'viewer' });
    const [session, elsewhere] = [await person.openSession(), await person.openSession()];
    const response = await choose(session, other.toUpperCase());
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      data: { account: { id: other, name: 'Other' }, role: 'viewer', person: { id: person.id } },
    });
    expect((await person.read(session)).text).toBe(response.text);
    expect((await person.read(elsewhere)).body).toMatchObject({
      data: { account: { id: account.id }, role: 'admin' },
    });
    expect(await auditOf(ctx, other)).toMatchObject([
      { action: 'session.account_chosen', by: person.id },
    ]);
    expect((await choose(session, account.id)).body).toMatchObject({ data: { role: 'admin' } });
  });

  test('is the first one again after leaving the chosen one', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId: person.id, role: 'owner' });
    const session = await person.openSession();
    await choose(session, other);
    await ctx.db.delete(members).where(eq(members.accountId, other));
    expect((await person.read(session)).body).toMatchObject({
      data: { account: { id: account.id }, role: 'admin', accounts: [{ id: account.id }] },
    });
  });

  test('is never someone else’s: that is a 404 as for none, and changes nothing', async () => {
    const session = await person.openSession();
    const theirs = await choose(session, await addAccount(ctx, 'Theirs'));
    const none = await choose(session, unknown);
    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    expect((await person.read(session)).body).toMatchObject({
      data: { account: { id: account.id } },
    });
    expect(detailsOf(await choose(session, 'Other'))).toHaveProperty('account');
  });
});

test('a session states the grace period of the operator, which the dashboard offers', async () => {
  const config = { ...ctx.config, rotationGraceSeconds: 7200 };
  const other = await TestPerson.add({ ...ctx, config }, { accountId: account.id, role: 'admin' });
  const response = await other.read(await other.openSession());
  expect(dataOf(response)).toMatchObject({ rotation_grace_seconds: 7200 });
});

describe('a person’s sessions', () => {
  test('are listed with where they are used, the current one marked, and no token', async () => {
    const phone = await person.openSession({ browser: '192.0.2.20 Phone' });
    const session = await person.openSession();
    await (await someoneElse()).openSession();
    const response = await person.in(session).get('/api/dashboard/sessions');
    const data = dataOf<{ is_current: boolean }[]>(response);
    const facts = {
      id: expect.any(String) as unknown,
      created_at: someTime,
      last_used_at: someTime,
      expires_at: someTime,
    };
    expect(data).toHaveLength(2);
    expect(data.find((each) => each.is_current)).toEqual({
      ...facts,
      is_current: true,
      ip: '192.0.2.9',
      user_agent: 'Firefox',
    });
    expect(data.find((each) => !each.is_current)).toEqual({
      ...facts,
      is_current: false,
      ip: '192.0.2.20',
      user_agent: 'Phone',
    });
    for (const secret of [phone, session]) expect(response.text).not.toContain(secret);
  });

  test('that ended after 7 days are not listed', async () => {
    await person.openSession();
    ctx.clock.advance(7 * dayMs);
    expect(await person.list(await person.openSession())).toHaveLength(1);
  });

  test('can be ended one by one, which is audited', async () => {
    const [here, there, third] = [
      await person.openSession(),
      await person.openSession(),
      await person.openSession(),
    ];
    const response = await person
      .in(here)
      .delete(`/api/dashboard/sessions/${await person.idOf(there)}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect([
      await person.isSignedIn(here),
      await person.isSignedIn(there),
      await person.isSignedIn(third),
    ]).toEqual([true, false, true]);
    expect((await auditOf(ctx, account.id)).at(-1)).toMatchObject({
      action: 'session.ended',
      by: person.id,
      changes: { ended_ip: '192.0.2.9', ended_user_agent: 'Firefox' },
    });
  });

  test('except the current one, which is ended by signing out', async () => {
    const session = await person.openSession();
    const response = await person
      .in(session)
      .delete(`/api/dashboard/sessions/${await person.idOf(session)}`);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      session: ['This is the session you are using. Sign out instead.'],
    });
    expect(await person.isSignedIn(session)).toBe(true);
  });

  test('can all be ended except the current one, and never those of other people', async () => {
    const theirs = await (await someoneElse()).openSession();
    const [here, there, third] = [
      await person.openSession(),
      await person.openSession(),
      await person.openSession(),
    ];
    const response = await person.in(here).delete('/api/dashboard/sessions');
    expect([response.status, response.body]).toEqual([200, { success: true, data: { ended: 2 } }]);
    expect([await person.isSignedIn(there), await person.isSignedIn(third)]).toEqual([
      false,
      false,
    ]);
    expect([await person.isSignedIn(here), await person.isSignedIn(theirs)]).toEqual([true, true]);
    expect((await auditOf(ctx, account.id)).at(-1)).toMatchObject({
      action: 'session.others_ended',
      changes: { ended_sessions: 2 },
    });
    expect((await person.in(here).delete('/api/dashboard/sessions')).body).toMatchObject({
      data: { ended: 0 },
    });
  });
});

async function someoneElse(): Promise<TestPerson> {
  return await TestPerson.add(ctx, { accountId: account.id, role: 'owner' });
}
