import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import { limitKeyOfPerson } from '../../../../domain/actor.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import {
  usePersonWithSessions,
  password,
  tokenIn,
} from '../../../../testing/http/person-with-sessions.ts';

const { ctx, account, person } = usePersonWithSessions();

function codeOf({ body }: ApiResponse): unknown {
  return (body as { error?: { code: string } }).error?.code;
}

describe('the token of a session', () => {
  const newPassword = 'another long password';
  const change = (session: string) =>
    person.post(session, '/api/dashboard/password', {
      current_password: password,
      new_password: newPassword,
    });

  test.each([
    ['the password is given again', (session: string) => person.prove(session)],
    ['the password is changed', change],
  ])('is renewed when %s; the session stays the same', async (_what, renew) => {
    const session = await person.signIn();
    const before = await person.idOf(session);
    const renewed = tokenIn(await renew(session));
    expect(renewed).not.toBe(session);
    expect(await person.list(renewed)).toMatchObject([{ id: before, is_current: true }]);
    expect((await person.delete(renewed, '/api/dashboard/sessions')).status).toBe(200);
  });

  test.each([
    ['the password is given again', (session: string) => person.prove(session)],
    ['the password is changed', change],
  ])('can read for 30 more seconds when %s, and is then void', async (_what, renew) => {
    const session = await person.signIn();
    const renewed = tokenIn(await renew(session));
    ctx.clock.advance(29_999);
    expect((await person.read(session)).text).toBe((await person.read(renewed)).text);
    expect(await person.list(session)).toHaveLength(1);
    ctx.clock.advance(1);
    expect(await person.isSignedIn(session)).toBe(false);
    expect((await person.prove(session)).status).toBe(401);
    expect(await person.isSignedIn(renewed)).toBe(true);
  });

  test('can no longer change anything once it is replaced, and the refusal says what to do', async () => {
    const session = await person.signIn();
    const third = await person.signIn();
    await person.prove(session);
    const passwords = { current_password: password, new_password: newPassword };
    for (const [what, attempt] of [
      ['sessions', person.delete(session, '/api/dashboard/sessions')],
      ['one', person.delete(session, `/api/dashboard/sessions/${await person.idOf(third)}`)],
      ['account', person.post(session, '/api/dashboard/session/account', { account: account.id })],
      ['password', person.post(session, '/api/dashboard/password', passwords)],
      ['key', person.post(session, '/api/v1/api-keys', { name: 'New', type: 'bot' })],
    ] as const) {
      const response = await attempt;
      expect([response.status, codeOf(response)], what).toEqual([403, 'SESSION_RENEWED']);
      expect(response.text).toContain('Try again. If it fails again, sign in again.');
    }
    expect(await person.isSignedIn(third)).toBe(true);
  });

  test('whose response was lost is returned again for the password, and only for that', async () => {
    const session = await person.signIn();
    const lost = tokenIn(await person.prove(session));
    ctx.clock.advance(20_000);
    expect((await person.prove(session, 'wrong')).status).toBe(422);
    const again = await person.prove(session);
    expect([again.status, tokenIn(again)]).toEqual([201, lost]);
    expect((await person.delete(lost, '/api/dashboard/sessions')).status).toBe(200);
    // The lifetime of the replaced token was not extended by this.
    ctx.clock.advance(10_000);
    expect(await person.isSignedIn(session)).toBe(false);
  });

  test('is the same for two tabs that give the password at once', async () => {
    const session = await person.signIn();
    const responses = await Promise.all([person.prove(session), person.prove(session)]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = responses.map(tokenIn);
    expect(one).toBe(other);
    expect((await person.delete(one ?? '', '/api/dashboard/sessions')).status).toBe(200);
  });

  test('replaced twice is void at once, and the one between can still read', async () => {
    const first = await person.signIn();
    const second = tokenIn(await person.prove(first));
    const third = tokenIn(await person.prove(second));
    expect([
      await person.isSignedIn(first),
      await person.isSignedIn(second),
      await person.isSignedIn(third),
    ]).toEqual([false, true, true]);
  });

  test('that was replaced can still sign out, which also ends its successor', async () => {
    const session = await person.signIn();
    const renewed = tokenIn(await person.prove(session));
    expect((await person.delete(session, '/api/dashboard/session')).status).toBe(204);
    expect([await person.isSignedIn(session), await person.isSignedIn(renewed)]).toEqual([
      false,
      false,
    ]);
  });

  test('signs out even when the person has no calls left in this minute', async () => {
    const session = await person.signIn();
    const uses = [{ limit: 'call', key: limitKeyOfPerson(person.id) }] as const;
    while ((await ctx.limiter.consume(uses)).allowed);
    expect((await person.read(session)).status).toBe(429);
    expect((await person.delete(session, '/api/dashboard/session')).status).toBe(204);
    expect((await person.read(session)).status).toBe(401);
  });

  test('is stored as a digest only, and not at all once it is replaced', async () => {
    const session = await person.signIn();
    const renewed = tokenIn(await person.prove(session));
    const [row] = await ctx.db.select().from(sessions).where(eq(sessions.personId, person.id));
    expect(row?.digest).toHaveLength(32);
    for (const token of [session, renewed]) expect(JSON.stringify(row)).not.toContain(token);
  });
});
