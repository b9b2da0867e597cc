import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import { addAccount, addMember } from '../../../../testing/records/people.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { usePerson, auditOf, password, tokenIn } from '../../../../testing/http/test-person.ts';

const { ctx, account, person } = usePerson('admin');

describe('giving the password again', () => {
  test('returns until when the proof is fresh, as the session then does', async () => {
    const session = await person.openSession();
    const before = await person.read(session);
    ctx.clock.advance(hourMs);
    const response = await person.in(session).prove();
    const proof_expires_at = ctx.clock.apiTime(1_800_000);
    const session_token: unknown = expect.any(String);
    // Seven days from the sign-in, of which an hour has passed.
    const data = { proof_expires_at, session_token, max_age: 601_200 };
    expect([response.status, response.body]).toEqual([201, { success: true, data }]);
    expect((await person.read(tokenIn(response))).body).toMatchObject({
      data: { proof_expires_at },
    });
    expect(before.body).not.toMatchObject({ data: { proof_expires_at } });
    expect(await auditOf(ctx, account.id)).toMatchObject([
      { action: 'session.created' },
      { action: 'session.proved', by: person.id, ip: '192.0.2.9' },
    ]);
  });

  test('counts for this session only', async () => {
    const [here, there] = [await person.openSession(), await person.openSession()];
    ctx.clock.advance(hourMs);
    const before = await person.read(there);
    await person.in(here).prove();
    expect((await person.read(there)).text).toBe(before.text);
  });

  test('with a wrong password changes nothing', async () => {
    const session = await person.openSession();
    ctx.clock.advance(hourMs);
    const before = await person.read(session);
    const response = await person.in(session).prove({ password: 'wrong' });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ password: ['This is not your password.'] });
    expect((await person.read(session)).text).toBe(before.text);
    expect(await auditOf(ctx, account.id)).toMatchObject([
      { action: 'session.created' },
      { action: 'session.proof_refused', by: person.id, changes: { wrong_proofs: 1 } },
    ]);
  });

  test('is limited to ten wrong ones an hour in a session, and right ones do not count', async () => {
    let session = await person.openSession();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      ctx.clock.advance(60_000);
      session = tokenIn(await person.in(session).prove());
      expect((await person.in(session).prove({ password: 'wrong' })).status).toBe(422);
    }
    ctx.clock.advance(60_000);
    expect((await person.in(session).prove()).status).toBe(429);
    // Its person does not have to wait in their own session.
    expect((await person.in(await person.openSession()).prove()).status).toBe(201);
    ctx.clock.advance(50 * 60_000);
    expect((await person.in(session).prove()).status).toBe(201);
  });

  test('ends the session with the twentieth wrong one in a row, which is audited and emailed', async () => {
    const session = await person.openSession();
    const wrong = async (times: number) => {
      for (let attempt = 0; attempt < times; attempt += 1) {
        ctx.clock.advance(6 * 60_000);
        expect((await person.in(session).prove({ password: 'wrong' })).status).toBe(422);
      }
    };
    await wrong(19);
    ctx.clock.advance(6 * 60_000);
    const renewed = tokenIn(await person.in(session).prove());
    // A right one begins again.
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      ctx.clock.advance(6 * 60_000);
      const { status } = await person.in(renewed).prove({ password: 'wrong' });
      expect(status).toBe(attempt < 20 ? 422 : 401);
    }
    expect(await person.isSignedIn(renewed)).toBe(false);
    expect((await auditOf(ctx, account.id)).at(-1)).toMatchObject({
      action: 'session.ended',
      by: person.id,
      changes: { wrong_proofs: 20 },
    });
    expect(ctx.mails.at(-1)).toMatchObject({
      to: person.email,
      subject: 'You were signed out after wrong passwords',
    });
  });

  test('is limited to ten tries a minute for each person, over all sessions and routes', async () => {
    const [session, other] = [await person.openSession(), await person.openSession()];
    for (let attempt = 0; attempt < 9; attempt += 1)
      await person.in(session).prove({ password: 'wrong' });
    const input = { current_password: 'wrong', new_password: 'another long password' };
    expect((await person.in(other).post('/api/dashboard/password', input)).status).toBe(422);
    for (const response of [
      await person.in(other).prove(),
      await person.in(other).post('/api/dashboard/password', input),
    ]) {
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    ctx.clock.advance(60_000);
    expect((await person.in(session).prove()).status).toBe(201);
  });
});

describe('changing one’s own password', () => {
  const chosen = 'another long password';
  const change = (session: string, input: Record<string, string> = {}) =>
    person.in(session).post('/api/dashboard/password', {
      current_password: password,
      new_password: chosen,
      ...input,
    });

  test('signs out everywhere else, counts as proof, and is audited in every account', async () => {
    const other = await addAccount(ctx, 'Other');
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: other, personId: person.id, role: 'viewer' });
    const [there, here] = [await person.openSession(), await person.openSession()];
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
    const provedUntil = ctx.clock.now().getTime() + 1_800_000;
    expect([await person.isSignedIn(here), await person.isSignedIn(there)]).toEqual([true, false]);
    expect((await person.signIn()).status).toBe(422);
    expect((await person.signIn({ password: chosen })).status).toBe(201);
    const session = dataOf<{ proof_expires_at: string }>(await person.read(here));
    expect(Date.parse(session.proof_expires_at)).toBe(provedUntil);
    for (const accountId of [account.id, other]) {
      expect(await auditOf(ctx, accountId)).toContainEqual(
        expect.objectContaining({
          action: 'person.password_changed',
          by: person.id,
          changes: { ended_sessions: 1 },
        }),
      );
    }
    const written = JSON.stringify([await auditOf(ctx, account.id), await auditOf(ctx, other)]);
    expect(written).not.toContain(password);
    expect(written).not.toContain(chosen);
  });

  test.each([
    ['a wrong current one', { current_password: 'wrong' }, 'current_password'],
    ['the current one again', { new_password: password }, 'new_password'],
    ['one that is too short', { new_password: 'short' }, 'new_password'],
    ['one that is too long', { new_password: 'x'.repeat(129) }, 'new_password'],
    ['one that many people have', { new_password: 'password1234' }, 'new_password'],
    [
      'a wrong current one and one that many people have',
      { current_password: 'wrong', new_password: 'password1234' },
      'current_password',
      'new_password',
    ],
    ['the name of their account', { new_password: 'Marlow & Finch 2026' }, 'new_password'],
    ['a wrong current one twice', { current_password: chosen }, 'current_password'],
  ])('with %s changes nothing', async (_what, input, ...fields) => {
    const [here, there] = [await person.openSession(), await person.openSession()];
    const response = await change(here, input);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual(
      Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
    );
    expect([await person.isSignedIn(here), await person.isSignedIn(there)]).toEqual([true, true]);
    expect((await person.signIn()).status).toBe(201);
  });

  test('succeeds for one of two concurrent calls', async () => {
    const [here, there] = [await person.openSession(), await person.openSession()];
    const responses = await Promise.all([
      change(here),
      change(there, { new_password: 'a third long password' }),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, person.id))).toBe(1);
  });
});
