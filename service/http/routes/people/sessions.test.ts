import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { sessions } from '../../../db/schema/people/sessions.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { personCallerName } from '../../../domain/actor.ts';
import { TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';

const password = 'correct horse battery';
const unknown = crypto.randomUUID();
const someTime: unknown = expect.stringMatching(/\+00:00$/);

let ctx: TestContext;
let api: TestApi;
let passwordHash: string;
let accountId: AccountId;
let personId: string;
let email: string;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  passwordHash = await ctx.auth.hashPassword(password);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  ctx.clock.advance(60_000);
  accountId = await addAccount(ctx);
  ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
  await addMember(ctx, { accountId, personId, role: 'admin' });
});

async function call(
  session: string | null,
  [method, path, body]: [method: string, path: string, body?: unknown],
  browser = '192.0.2.9 Firefox',
): Promise<ApiResponse> {
  return await api.call(method, `/api/dashboard/${path}`, {
    token: ctx.dashboardCredential,
    headers: {
      'X-Dashboard-Client': browser,
      ...(session !== null && { 'X-Dashboard-Session': session }),
    },
    ...(body !== undefined && { body }),
  });
}

async function tryToSignIn(as: { email: string; password: string }, browser?: string) {
  return await call(null, ['POST', 'session', as], browser);
}

async function signIn(as = { email, password }, browser?: string): Promise<string> {
  const response = await tryToSignIn(as, browser);
  expect(response.status).toBe(201);
  return (response.body as { data: { session_token: string } }).data.session_token;
}

async function isSignedIn(session: string): Promise<boolean> {
  return (await call(session, ['GET', 'session'])).status === 200;
}

async function list(session: string) {
  const response = await call(session, ['GET', 'sessions']);
  expect(response.status).toBe(200);
  return (response.body as { data: { id: string; is_current: boolean }[] }).data;
}

async function idOf(session: string): Promise<string> {
  return (await list(session)).find((each) => each.is_current)?.id ?? '';
}

async function audited(account = accountId) {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account))
    .orderBy(auditEntries.id);
  return entries.map(({ action, actor, changes, ip }) => ({ action, by: actor.id, changes, ip }));
}

function detailsOf({ body }: ApiResponse): unknown {
  return (body as { error: { details?: unknown } }).error.details;
}

async function confirmIdentity(session: string, given = password): Promise<ApiResponse> {
  return await call(session, ['POST', 'session/proof', { password: given }]);
}

function renewedBy({ body }: ApiResponse): string {
  return (body as { data: { session_token: string } }).data.session_token;
}

function codeOf({ body }: ApiResponse): unknown {
  return (body as { error?: { code: string } }).error?.code;
}

describe('giving the password again', () => {
  test('returns until when the proof is fresh, as the session then does', async () => {
    const session = await signIn();
    const before = await call(session, ['GET', 'session']);
    ctx.clock.advance(hourMs);
    const response = await confirmIdentity(session);
    const proof_expires_at = new Date(ctx.clock.now().getTime() + 1_800_000)
      .toISOString()
      .replace('Z', '+00:00');
    const session_token: unknown = expect.any(String);
    // Seven days from the sign-in, of which an hour has passed.
    const data = { proof_expires_at, session_token, max_age: 601_200 };
    expect([response.status, response.body]).toEqual([201, { success: true, data }]);
    expect((await call(renewedBy(response), ['GET', 'session'])).body).toMatchObject({
      data: { proof_expires_at },
    });
    expect(before.body).not.toMatchObject({ data: { proof_expires_at } });
    expect(await audited()).toMatchObject([
      { action: 'session.created' },
      { action: 'session.proved', by: personId, ip: '192.0.2.9' },
    ]);
  });

  test('counts for this session only', async () => {
    const [here, there] = [await signIn(), await signIn()];
    ctx.clock.advance(hourMs);
    const before = await call(there, ['GET', 'session']);
    await confirmIdentity(here);
    expect((await call(there, ['GET', 'session'])).text).toBe(before.text);
  });

  test('with a wrong password changes nothing', async () => {
    const session = await signIn();
    ctx.clock.advance(hourMs);
    const before = await call(session, ['GET', 'session']);
    const response = await confirmIdentity(session, 'wrong');
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ password: ['This is not your password.'] });
    expect((await call(session, ['GET', 'session'])).text).toBe(before.text);
    expect(await audited()).toHaveLength(1);
  });

  test('is limited to ten tries a minute for each person, over all sessions and routes', async () => {
    const [session, other] = [await signIn(), await signIn()];
    for (let attempt = 0; attempt < 9; attempt += 1) await confirmIdentity(session, 'wrong');
    const input = { current_password: 'wrong', new_password: 'another long password' };
    expect((await call(other, ['POST', 'password', input])).status).toBe(422);
    for (const response of [
      await confirmIdentity(other),
      await call(other, ['POST', 'password', input]),
    ]) {
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    ctx.clock.advance(60_000);
    expect((await confirmIdentity(session)).status).toBe(201);
  });

  test('refuses a body without a password', async () => {
    const response = await call(await signIn(), ['POST', 'session/proof', {}]);
    expect(detailsOf(response)).toEqual({ password: ['Enter your password.'] });
  });
});

describe('the token of a session', () => {
  const newPassword = 'another long password';
  const change = (session: string) =>
    call(session, ['POST', 'password', { current_password: password, new_password: newPassword }]);

  test.each([
    ['the password is given again', confirmIdentity],
    ['the password is changed', change],
  ])('is renewed when %s; the session stays the same', async (_what, renew) => {
    const session = await signIn();
    const before = await idOf(session);
    const renewed = renewedBy(await renew(session));
    expect(renewed).not.toBe(session);
    expect(await list(renewed)).toMatchObject([{ id: before, is_current: true }]);
    expect((await call(renewed, ['DELETE', 'sessions'])).status).toBe(200);
  });

  test.each([
    ['the password is given again', confirmIdentity],
    ['the password is changed', change],
  ])('can read for 30 more seconds when %s, and is then void', async (_what, renew) => {
    const session = await signIn();
    const renewed = renewedBy(await renew(session));
    ctx.clock.advance(29_999);
    expect((await call(session, ['GET', 'session'])).text).toBe(
      (await call(renewed, ['GET', 'session'])).text,
    );
    expect(await list(session)).toHaveLength(1);
    ctx.clock.advance(1);
    expect(await isSignedIn(session)).toBe(false);
    expect((await confirmIdentity(session)).status).toBe(401);
    expect(await isSignedIn(renewed)).toBe(true);
  });

  test('can no longer change anything once it is replaced, and the refusal says what to do', async () => {
    const session = await signIn();
    const third = await signIn();
    await confirmIdentity(session);
    const attempts: [string, string, unknown?][] = [
      ['DELETE', 'sessions'],
      ['DELETE', `sessions/${await idOf(third)}`],
      ['POST', 'session/account', { account: accountId }],
      ['POST', 'password', { current_password: password, new_password: newPassword }],
    ];
    for (const attempt of attempts) {
      const response = await call(session, attempt);
      expect([response.status, codeOf(response)], attempt[1]).toEqual([403, 'SESSION_RENEWED']);
      expect(response.text).toContain('Try again. If it fails again, sign in again.');
    }
    const created = await api.call('POST', '/api/v1/api-keys', {
      token: ctx.dashboardCredential,
      headers: { 'X-Dashboard-Session': session },
      body: { name: 'New', type: 'bot' },
    });
    expect([created.status, codeOf(created)]).toEqual([403, 'SESSION_RENEWED']);
    expect(await isSignedIn(third)).toBe(true);
  });

  test('whose response was lost is returned again for the password, and only for that', async () => {
    const session = await signIn();
    const lost = renewedBy(await confirmIdentity(session));
    ctx.clock.advance(20_000);
    expect((await confirmIdentity(session, 'wrong')).status).toBe(422);
    const again = await confirmIdentity(session);
    expect([again.status, renewedBy(again)]).toEqual([201, lost]);
    expect((await call(lost, ['DELETE', 'sessions'])).status).toBe(200);
    // The lifetime of the replaced token was not extended by this.
    ctx.clock.advance(10_000);
    expect(await isSignedIn(session)).toBe(false);
  });

  test('is the same for two tabs that give the password at once', async () => {
    const session = await signIn();
    const responses = await Promise.all([confirmIdentity(session), confirmIdentity(session)]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = responses.map(renewedBy);
    expect(one).toBe(other);
    expect((await call(one ?? '', ['DELETE', 'sessions'])).status).toBe(200);
  });

  test('replaced twice is void at once, and the one between can still read', async () => {
    const first = await signIn();
    const second = renewedBy(await confirmIdentity(first));
    const third = renewedBy(await confirmIdentity(second));
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(third)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('that was replaced can still sign out, which also ends its successor', async () => {
    const session = await signIn();
    const renewed = renewedBy(await confirmIdentity(session));
    expect((await call(session, ['DELETE', 'session'])).status).toBe(204);
    expect([await isSignedIn(session), await isSignedIn(renewed)]).toEqual([false, false]);
  });

  test('signs out even when the person has no calls left in this minute', async () => {
    const session = await signIn();
    const uses = [{ limit: 'call', key: personCallerName(personId) }] as const;
    while ((await ctx.limiter.consume(uses)).allowed);
    expect((await call(session, ['GET', 'session'])).status).toBe(429);
    expect((await call(session, ['DELETE', 'session'])).status).toBe(204);
    expect((await call(session, ['GET', 'session'])).status).toBe(401);
  });

  test('is kept as a digest once it is replaced', async () => {
    const session = await signIn();
    await confirmIdentity(session);
    const [row] = await ctx.db.select().from(sessions).where(eq(sessions.userId, personId));
    expect(row?.previousDigest).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(session.split('.')[0]);
  });
});

describe('the account of a session', () => {
  const choose = (session: string, account: string) =>
    call(session, ['POST', 'session/account', { account }]);

  test('can be changed to another of one’s own, for this session, and is audited there', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId, role: 'viewer' });
    const [session, elsewhere] = [await signIn(), await signIn()];
    const response = await choose(session, other.toUpperCase());
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      data: { account: { id: other, name: 'Other' }, role: 'viewer', person: { id: personId } },
    });
    expect((await call(session, ['GET', 'session'])).text).toBe(response.text);
    expect((await call(elsewhere, ['GET', 'session'])).body).toMatchObject({
      data: { account: { id: accountId }, role: 'admin' },
    });
    expect(await audited(other)).toMatchObject([
      { action: 'session.account_chosen', by: personId },
    ]);
    expect((await choose(session, accountId)).body).toMatchObject({ data: { role: 'admin' } });
  });

  test('is the first one again after leaving the chosen one', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId, role: 'owner' });
    const session = await signIn();
    await choose(session, other);
    await ctx.db.delete(members).where(eq(members.accountId, other));
    expect((await call(session, ['GET', 'session'])).body).toMatchObject({
      data: { account: { id: accountId }, role: 'admin', accounts: [{ id: accountId }] },
    });
  });

  test('is never somebody else’s: that is a 404 as for none, and changes nothing', async () => {
    const session = await signIn();
    const theirs = await choose(session, await addAccount(ctx, 'Theirs'));
    const none = await choose(session, unknown);
    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    expect((await call(session, ['GET', 'session'])).body).toMatchObject({
      data: { account: { id: accountId } },
    });
    expect(detailsOf(await choose(session, 'Other'))).toHaveProperty('account');
  });
});

describe('a person’s sessions', () => {
  test('are listed with where they are used, the current one marked, and no token', async () => {
    const phone = await signIn(undefined, '192.0.2.20 Phone');
    const session = await signIn();
    await signIn({ email: (await someoneElse()).email, password });
    const response = await call(session, ['GET', 'sessions']);
    const { data } = response.body as { data: { is_current: boolean }[] };
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
    const rows = await ctx.db.select().from(sessions).where(eq(sessions.userId, personId));
    for (const secret of [phone, session, ...rows.map(({ token }) => token)]) {
      expect(response.text).not.toContain(secret);
    }
  });

  test('that ended after 7 days are not listed', async () => {
    await signIn();
    ctx.clock.advance(7 * dayMs);
    expect(await list(await signIn())).toHaveLength(1);
  });

  test('can be ended one by one, which is audited', async () => {
    const [here, there, third] = [await signIn(), await signIn(), await signIn()];
    const response = await call(here, ['DELETE', `sessions/${await idOf(there)}`]);
    expect([response.status, response.text]).toEqual([204, '']);
    expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(third)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'session.ended',
      by: personId,
      changes: { ended_ip: '192.0.2.9', ended_user_agent: 'Firefox' },
    });
  });

  test('of other people get the same response as unknown ids, and continue', async () => {
    const session = await signIn();
    const theirs = await signIn({ email: (await someoneElse()).email, password });
    const none = await call(session, ['DELETE', `sessions/${unknown}`]);
    for (const id of [await idOf(theirs), '1', 'a%00b', theirs]) {
      const response = await call(session, ['DELETE', `sessions/${id}`]);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
    expect(await isSignedIn(theirs)).toBe(true);
  });

  test('except the current one, which is ended by signing out', async () => {
    const session = await signIn();
    const response = await call(session, ['DELETE', `sessions/${await idOf(session)}`]);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      session: ['This is the session you are using. Sign out instead.'],
    });
    expect(await isSignedIn(session)).toBe(true);
  });

  test('can all be ended except the current one, and never those of other people', async () => {
    const theirs = await signIn({ email: (await someoneElse()).email, password });
    const [here, there, third] = [await signIn(), await signIn(), await signIn()];
    const response = await call(here, ['DELETE', 'sessions']);
    expect([response.status, response.body]).toEqual([200, { success: true, data: { ended: 2 } }]);
    expect([await isSignedIn(there), await isSignedIn(third)]).toEqual([false, false]);
    expect([await isSignedIn(here), await isSignedIn(theirs)]).toEqual([true, true]);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'session.others_ended',
      changes: { ended_sessions: 2 },
    });
    expect((await call(here, ['DELETE', 'sessions'])).body).toMatchObject({ data: { ended: 0 } });
  });
});

describe('changing one’s own password', () => {
  const chosen = 'another long password';
  const change = (session: string, input: Record<string, string> = {}) =>
    call(session, [
      'POST',
      'password',
      { current_password: password, new_password: chosen, ...input },
    ]);

  test('signs out everywhere else, counts as proof, and is audited in every account', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId, role: 'viewer' });
    const [here, there] = [await signIn(), await signIn()];
    ctx.clock.advance(hourMs);
    const response = await change(here);
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        data: {
          ended_sessions: 1,
          session_token: expect.any(String) as unknown,
          max_age: 601_200,
          device_token: expect.any(String) as unknown,
          device_max_age: 15_552_000,
        },
      },
    ]);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await tryToSignIn({ email, password })).status).toBe(422);
    expect((await tryToSignIn({ email, password: chosen })).status).toBe(201);
    const session = (await call(here, ['GET', 'session'])).body as {
      data: { proof_expires_at: string };
    };
    expect(Date.parse(session.data.proof_expires_at)).toBe(ctx.clock.now().getTime() + 1_800_000);
    for (const account of [accountId, other]) {
      expect(await audited(account)).toContainEqual(
        expect.objectContaining({
          action: 'person.password_changed',
          by: personId,
          changes: { ended_sessions: 1 },
        }),
      );
    }
    const written = JSON.stringify([await audited(), await audited(other)]);
    expect(written).not.toContain(password);
    expect(written).not.toContain(chosen);
  });

  test.each([
    ['a wrong current one', { current_password: 'wrong' }, 'current_password'],
    ['the current one again', { new_password: password }, 'new_password'],
    ['one that is too short', { new_password: 'short' }, 'new_password'],
    ['one that is too long', { new_password: 'x'.repeat(129) }, 'new_password'],
    ['one that many people have', { new_password: 'password1234' }, 'new_password'],
  ])('with %s changes nothing', async (_what, input, field) => {
    const [here, there] = [await signIn(), await signIn()];
    const response = await change(here, input);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ [field]: [expect.any(String)] });
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, true]);
    expect((await tryToSignIn({ email, password })).status).toBe(201);
  });

  test('succeeds for one of two concurrent calls', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const responses = await Promise.all([
      change(here),
      change(there, { new_password: 'a third long password' }),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await ctx.db.$count(sessions, eq(sessions.userId, personId))).toBe(1);
  });
});

async function someoneElse() {
  const person = await addPerson(ctx, { name: 'Bob', passwordHash });
  await addMember(ctx, { accountId, personId: person.id, role: 'owner' });
  return person;
}
