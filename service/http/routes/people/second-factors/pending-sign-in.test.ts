import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { passkeyChallenges } from '../../../../db/schema/people/second-factors.ts';
import { pendingSignIns, sessions } from '../../../../db/schema/people/sessions.ts';
import { deleteExpiredLinks } from '../../../../domain/people/open-link.ts';
import {
  resetAccess,
  resetFactors,
} from '../../../../domain/people/members/operator/reset-access.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { usePerson, tokenIn } from '../../../../testing/http/test-person.ts';

const { ctx, person } = usePerson('owner', { isSignedIn: true });

describe('a sign-in that waits for a second factor', () => {
  test('gives no access with its token alone', async () => {
    await person.addApp();
    const { pending_token: token } = await person.beginSignIn();
    expect(await person.isSignedIn(token)).toBe(false);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, person.id))).toBe(1);
  });

  test.each<[what: string, act: (finish: () => Promise<unknown>) => unknown]>([
    ['after ten minutes', () => ctx.clock.advance(10 * minuteMs)],
    ['once it was used to sign in', (finish) => finish()],
    ['when an operator resets the person’s factors', () => resetFactors(ctx, person.email)],
    ['with the password it was begun with', () => resetAccess(ctx, person.email)],
  ])('ends %s', async (_what, act) => {
    const app = await person.addApp();
    const pending = await person.beginSignIn();
    await act(() => person.finish(pending, { code: app.code() }));
    ctx.clock.advance(30_000);
    expect(detailsOf(await person.finish(pending, { code: app.code() }))).toHaveProperty(
      'pending_token',
    );
  });

  test('ends after five wrong codes, so that even the right one is refused', async () => {
    const app = await person.addApp();
    const pending = await person.beginSignIn();
    for (let wrong = 0; wrong < 4; wrong += 1) {
      expect(detailsOf(await person.finish(pending, { code: '000000' }))).toHaveProperty('code');
    }
    expect(detailsOf(await person.finish(pending, { code: '000000' }))).toHaveProperty(
      'pending_token',
    );
    expect(detailsOf(await person.finish(pending, { code: app.code() }))).toHaveProperty(
      'pending_token',
    );
  });

  test('allows 20 challenges a minute for a passkey', async () => {
    const passkey = await person.addPasskey();
    const pending = await person.beginSignIn();
    for (let asked = 0; asked < 20; asked += 1) await person.signedFor(pending, passkey);
    const path = '/api/dashboard/session/second-factor/passkey-options';
    const body = { pending_token: pending.pending_token };
    expect((await person.call('POST', path, { body, session: null })).status).toBe(429);
    await person.signedFor(await person.beginSignIn(), passkey);
  });

  test('takes no signature for a challenge of another sign-in, or of a session, and the reverse', async () => {
    const passkey = await person.addPasskey();
    const [pending, other] = [await person.beginSignIn(), await person.beginSignIn()];
    const signedIn = async (session = person.session) => {
      const path = '/api/dashboard/session/proof/passkey-options';
      const asked = await person.call('POST', path, { session });
      return passkey.get({ options: dataOf(asked), origin: ctx.config.publicUrl.origin });
    };
    for (const signed of [await person.signedFor(other, passkey), await signedIn()]) {
      const refused = await person.finish(pending, { passkey: signed });
      expect(detailsOf(refused)).toHaveProperty('passkey');
    }
    const forSignIn = await person.signedFor(pending, passkey);
    expect(detailsOf(await person.prove({ passkey: forSignIn }))).toHaveProperty('passkey');
    const elsewhere = tokenIn(
      await person.finish(other, { passkey: await person.signedFor(other, passkey) }),
    );
    const signedElsewhere = await signedIn(elsewhere);
    expect(detailsOf(await person.prove({ passkey: signedElsewhere }))).toHaveProperty('passkey');
    expect((await person.prove({ passkey: await signedIn() })).status).toBe(201);
  });

  test('is forgotten once it has ended, and so are challenges', async () => {
    const passkey = await person.addPasskey();
    const pending = await person.beginSignIn();
    await person.signedFor(pending, passkey);
    const kept = async () =>
      (await ctx.db.$count(pendingSignIns, eq(pendingSignIns.personId, person.id))) +
      (await ctx.db.$count(passkeyChallenges, eq(passkeyChallenges.personId, person.id)));
    await deleteExpiredLinks(ctx);
    expect(await kept()).toBe(2);
    ctx.clock.advance(10 * minuteMs);
    await deleteExpiredLinks(ctx);
    expect(await kept()).toBe(0);
  });

  test('opens no session for a person who was removed from their only account in the meantime', async () => {
    const app = await person.addApp();
    const pending = await person.beginSignIn();
    await ctx.db.delete(members).where(eq(members.personId, person.id));
    expect((await person.finish(pending, { code: app.code() })).status).toBe(422);
    expect(await person.isSignedIn(person.session)).toBe(false);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, person.id))).toBe(1);
  });

  test('accepts at most twenty wrong codes an hour, and any number of right ones', async () => {
    const app = await person.addApp();
    for (let round = 0; round < 4; round += 1) {
      const pending = await person.beginSignIn();
      for (let wrong = 0; wrong < 5; wrong += 1) await person.finish(pending, { code: '000000' });
    }
    const refused = await person.finish(await person.beginSignIn(), { code: app.code() });
    expect(refused.status).toBe(429);
    ctx.clock.advance(hourMs);
    expect((await person.finish(await person.beginSignIn(), { code: app.code() })).status).toBe(
      201,
    );
  });

  test('needs exactly one factor', async () => {
    const app = await person.addApp();
    const pending = await person.beginSignIn();
    expect((await person.finish(pending, {})).status).toBe(422);
    const two = { code: app.code(), recovery_code: app.recoveryCodes[0] };
    expect((await person.finish(pending, two)).status).toBe(422);
  });
});

describe('a sign-in on a device that is not known', () => {
  test('is emailed, and one on the same device again is not', async () => {
    ctx.forgetRecords();
    const first = await person.signIn();
    expect(ctx.mails).toMatchObject([
      { to: person.email, text: expect.stringContaining('192.0.2.9') as unknown },
    ]);
    const { device_token: deviceToken } = dataOf(first);
    ctx.forgetRecords();
    expect((await person.signIn({ deviceToken })).status).toBe(201);
    expect(ctx.mails).toEqual([]);
  });

  test('causes an email after the second factor, not after the password', async () => {
    const app = await person.addApp();
    ctx.forgetRecords();
    const pending = await person.beginSignIn();
    expect(ctx.mails).toEqual([]);
    await person.finish(pending, { code: app.code() });
    expect(ctx.mails.map(({ subject }) => subject)).toEqual([
      'New sign-in on a device we do not know',
    ]);
  });
});
