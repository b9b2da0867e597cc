import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import { usePerson, password, tokenIn } from '../../../../testing/http/test-person.ts';

const { ctx, person } = usePerson('admin');

describe('the token of a session', () => {
  const newPassword = 'another long password';
  const change = (session: string) =>
    person.in(session).post('/api/dashboard/password', {
      current_password: password,
      new_password: newPassword,
    });

  test.each([
    ['the password is given again', (session: string) => person.in(session).prove()],
    ['the password is changed', change],
  ])('is renewed when %s; the session stays the same', async (_what, renew) => {
    const session = await person.openSession();
    const before = await person.idOf(session);
    const renewed = tokenIn(await renew(session));
    expect(renewed).not.toBe(session);
    expect(await person.list(renewed)).toMatchObject([{ id: before, is_current: true }]);
    expect((await person.in(renewed).delete('/api/dashboard/sessions')).status).toBe(200);
  });

  test.each([
    ['the password is given again', (session: string) => person.in(session).prove()],
    ['the password is changed', change],
  ])('can read for 30 more seconds when %s, and is then void', async (_what, renew) => {
    const session = await person.openSession();
    const renewed = tokenIn(await renew(session));
    ctx.clock.advance(29_999);
    expect((await person.read(session)).text).toBe((await person.read(renewed)).text);
    expect(await person.list(session)).toHaveLength(1);
    ctx.clock.advance(1);
    expect(await person.isSignedIn(session)).toBe(false);
    expect((await person.in(session).prove()).status).toBe(401);
    expect(await person.isSignedIn(renewed)).toBe(true);
  });

  test('whose response was lost is returned again for the password, and only for that', async () => {
    const session = await person.openSession();
    const lost = tokenIn(await person.in(session).prove());
    ctx.clock.advance(20_000);
    expect((await person.in(session).prove({ password: 'wrong' })).status).toBe(422);
    const again = await person.in(session).prove();
    expect([again.status, tokenIn(again)]).toEqual([201, lost]);
    expect((await person.in(lost).delete('/api/dashboard/sessions')).status).toBe(200);
    // The lifetime of the replaced token was not extended by this.
    ctx.clock.advance(10_000);
    expect(await person.isSignedIn(session)).toBe(false);
  });

  test('is the same for two tabs that give the password at the same time', async () => {
    const session = await person.openSession();
    const responses = await Promise.all([person.in(session).prove(), person.in(session).prove()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = responses.map(tokenIn);
    expect(one).toBe(other);
    expect((await person.in(one ?? '').delete('/api/dashboard/sessions')).status).toBe(200);
  });

  test('replaced twice is void immediately, and the one between can still read', async () => {
    const first = await person.openSession();
    const second = tokenIn(await person.in(first).prove());
    const third = tokenIn(await person.in(second).prove());
    expect([
      await person.isSignedIn(first),
      await person.isSignedIn(second),
      await person.isSignedIn(third),
    ]).toEqual([false, true, true]);
  });

  test('that was replaced can still sign out, which also ends its successor', async () => {
    const session = await person.openSession();
    const renewed = tokenIn(await person.in(session).prove());
    expect((await person.in(session).delete('/api/dashboard/session')).status).toBe(204);
    expect([await person.isSignedIn(session), await person.isSignedIn(renewed)]).toEqual([
      false,
      false,
    ]);
  });

  test('is stored as a digest only, and not at all once it is replaced', async () => {
    const session = await person.openSession();
    const renewed = tokenIn(await person.in(session).prove());
    const [row] = await ctx.db.select().from(sessions).where(eq(sessions.personId, person.id));
    expect(row?.digest).toHaveLength(32);
    for (const token of [session, renewed]) expect(JSON.stringify(row)).not.toContain(token);
  });
});
