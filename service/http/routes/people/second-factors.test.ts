import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyAssertion, PendingSignIn } from '#lib/contract/people/second-factors.ts';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { passkeyChallenges } from '../../../db/schema/people/second-factors.ts';
import { pendingSignIns, sessions } from '../../../db/schema/people/sessions.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { forgetExpiredLinks } from '../../../domain/people/forget-expired-links.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';
import { resetAccess } from '../../../domain/people/passwords/reset-access.ts';
import { resetFactors } from '../../../domain/people/second-factors/reset-factors.ts';
import { TestApi, dataOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addAccount, addMember, addPerson, addSupporter } from '../../../testing/records/people.ts';
import { codeOf } from '../../../testing/records/second-factors.ts';
import { SoftwareAuthenticator } from '../../../testing/software-authenticator.ts';

const password = 'correct horse battery';

let ctx: TestContext;
let api: TestApi;
let passwordHash: string;
let accountId: AccountId;
let personId: string;
let email: string;
/** The session of the person, freshly proved. */
let session: string;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  passwordHash = await ctx.auth.hashPassword(password);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  ctx.clock.advance(90 * minuteMs);
  ctx.forgetRecords();
  accountId = await addAccount(ctx);
  ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
  await addMember(ctx, { accountId, personId, role: 'owner' });
  session = tokenIn(await signIn());
});

describe('an authenticator app', () => {
  test('is in use once one of its codes was given, and creates ten recovery codes once', async () => {
    const { key, uri } = await startApp();
    expect(uri).toContain(`secret=${key}`);
    expect(await factors()).toMatchObject({ app: null, recovery_codes: null });
    expect((await signIn()).status).toBe(201);

    expect(detailsOf(await confirmApp('000 000'))).toHaveProperty('code');
    const confirmed = await confirmApp(codeOf(key, ctx.clock.now()));
    expect(confirmed.status).toBe(201);
    const codes = dataOf(confirmed)['recovery_codes'] as string[];
    expect(new Set(codes).size).toBe(10);
    expect(await factors()).toMatchObject({
      app: { last_used_at: expect.any(String) as unknown },
      recovery_codes: { left: 10, total: 10 },
    });
    expect((await call(['POST', 'second-factors/app'])).status).toBe(422);
    expect(await actions()).toContain('person.second_factor_added');
    expect(subjects()).toContain('An authenticator app was added');
  });

  test('can get a new key until it is in use, which makes the previous one invalid', async () => {
    const { key: first } = await startApp();
    const { key: second } = await startApp();
    expect((await confirmApp(codeOf(first, ctx.clock.now()))).status).toBe(422);
    expect((await confirmApp(codeOf(second, ctx.clock.now()))).status).toBe(201);
  });

  test('can be turned on with at most twenty wrong codes an hour, and any number of right ones', async () => {
    await startApp();
    for (let wrong = 0; wrong < 19; wrong += 1) {
      expect((await confirmApp('000 000')).status).toBe(422);
    }
    const { key } = await startApp();
    expect((await confirmApp(codeOf(key, ctx.clock.now()))).status).toBe(201);
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
    await startApp();
    expect((await confirmApp('000 000')).status).toBe(422);
    expect((await confirmApp('000 000')).status).toBe(429);
  });

  test('is required after the password, and each of its codes counts once', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    expect(pending.kinds).toEqual(['app', 'recovery_code']);
    const code = app.code();
    const signedIn = await finish(pending, { code });
    expect(signedIn.status).toBe(201);
    expect(await isSignedIn(tokenIn(signedIn))).toBe(true);
    const again = pendingIn(await signIn());
    expect(detailsOf(await finish(again, { code }))).toEqual({
      code: ['This code is wrong or was used already. Wait for the next one.'],
    });
    ctx.clock.advance(30_000);
    expect((await finish(again, { code: app.code() })).status).toBe(201);
  });

  test('accepts one of two concurrent uses of one code', async () => {
    const app = await addApp();
    const pendings = [pendingIn(await signIn()), pendingIn(await signIn())];
    const code = app.code();
    const responses = await Promise.all(pendings.map((pending) => finish(pending, { code })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
  });

  test('accepts codes of the previous and the next time step, and no others', async () => {
    const app = await addApp();
    const at = (ms: number) => codeOf(app.key, new Date(ctx.clock.now().getTime() + ms));
    for (const far of [-61_000, 61_000]) {
      expect((await finish(pendingIn(await signIn()), { code: at(far) })).status).toBe(422);
    }
    expect((await finish(pendingIn(await signIn()), { code: at(-30_000) })).status).toBe(201);
    expect((await finish(pendingIn(await signIn()), { code: at(30_000) })).status).toBe(201);
  });
});

describe('a sign-in that waits for a second factor', () => {
  test('gives no access with its token alone', async () => {
    await addApp();
    const { pending_token: token } = pendingIn(await signIn());
    expect(await isSignedIn(token)).toBe(false);
    expect(await ctx.db.$count(sessions, eq(sessions.userId, personId))).toBe(1);
  });

  test('ends after ten minutes', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    ctx.clock.advance(10 * minuteMs);
    expect(detailsOf(await finish(pending, { code: app.code() }))).toHaveProperty('pending_token');
  });

  test('ends after five wrong codes, so that even the right one is refused', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    for (let wrong = 0; wrong < 4; wrong += 1) {
      expect(detailsOf(await finish(pending, { code: '000000' }))).toHaveProperty('code');
    }
    expect(detailsOf(await finish(pending, { code: '000000' }))).toHaveProperty('pending_token');
    expect(detailsOf(await finish(pending, { code: app.code() }))).toHaveProperty('pending_token');
  });

  test('allows 20 challenges a minute for a passkey', async () => {
    const passkey = await addPasskey();
    const pending = pendingIn(await signIn());
    for (let asked = 0; asked < 20; asked += 1) await signedFor(pending, passkey);
    const path = 'session/second-factor/passkey-options';
    const body = { pending_token: pending.pending_token };
    expect((await call(['POST', path, body], null)).status).toBe(429);
    await signedFor(pendingIn(await signIn()), passkey);
  });

  test('is forgotten once it has ended, and so are challenges', async () => {
    const passkey = await addPasskey();
    const pending = pendingIn(await signIn());
    await signedFor(pending, passkey);
    const kept = async () =>
      (await ctx.db.$count(pendingSignIns, eq(pendingSignIns.personId, personId))) +
      (await ctx.db.$count(passkeyChallenges, eq(passkeyChallenges.personId, personId)));
    await forgetExpiredLinks(ctx);
    expect(await kept()).toBe(2);
    ctx.clock.advance(10 * minuteMs);
    await forgetExpiredLinks(ctx);
    expect(await kept()).toBe(0);
  });

  test('signs in once', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    expect((await finish(pending, { code: app.code() })).status).toBe(201);
    ctx.clock.advance(30_000);
    expect(detailsOf(await finish(pending, { code: app.code() }))).toHaveProperty('pending_token');
  });

  test('opens no session for a person who was removed from their only account meanwhile', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    await ctx.db.delete(members).where(eq(members.personId, personId));
    expect((await finish(pending, { code: app.code() })).status).toBe(422);
    expect(await isSignedIn(session)).toBe(false);
    expect(await ctx.db.$count(sessions, eq(sessions.userId, personId))).toBe(1);
  });

  test('ends when an operator resets the person’s factors', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    await resetFactors(ctx, email);
    expect(detailsOf(await finish(pending, { code: app.code() }))).toHaveProperty('pending_token');
  });

  test('ends with the password it was begun with', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    await resetAccess(ctx, email);
    expect(detailsOf(await finish(pending, { code: app.code() }))).toHaveProperty('pending_token');
  });

  test('accepts at most twenty wrong codes an hour, and any number of right ones', async () => {
    const app = await addApp();
    for (let round = 0; round < 4; round += 1) {
      const pending = pendingIn(await signIn());
      for (let wrong = 0; wrong < 5; wrong += 1) await finish(pending, { code: '000000' });
    }
    const refused = await finish(pendingIn(await signIn()), { code: app.code() });
    expect(refused.status).toBe(429);
    ctx.clock.advance(hourMs);
    expect((await finish(pendingIn(await signIn()), { code: app.code() })).status).toBe(201);
  });

  test('needs exactly one factor', async () => {
    const app = await addApp();
    const pending = pendingIn(await signIn());
    expect((await finish(pending, {})).status).toBe(422);
    const two = { code: app.code(), recovery_code: app.recoveryCodes[0] };
    expect((await finish(pending, two)).status).toBe(422);
  });
});

describe('a recovery code', () => {
  test('signs in once, however it is typed; an email says how many are left', async () => {
    const [first = ''] = (await addApp()).recoveryCodes;
    const typed = first.toUpperCase().replaceAll('-', ' ');
    expect((await finish(pendingIn(await signIn()), { recovery_code: typed })).status).toBe(201);
    const again = await finish(pendingIn(await signIn()), { recovery_code: first });
    expect(detailsOf(again)).toHaveProperty('recovery_code');
    expect(await factors()).toMatchObject({ recovery_codes: { left: 9 } });
    expect(subjects()).toContain('A recovery code was used');
    expect(await actions()).toContain('person.recovery_code_used');
  });

  test('is void once new ones are created', async () => {
    const { recoveryCodes } = await addApp();
    const made = await call(['POST', 'second-factors/recovery-codes']);
    const [fresh = ''] = dataOf(made)['recovery_codes'] as string[];
    const [old = ''] = recoveryCodes;
    const pending = pendingIn(await signIn());
    expect((await finish(pending, { recovery_code: old })).status).toBe(422);
    expect((await finish(pending, { recovery_code: fresh })).status).toBe(201);
  });

  test('of another person is refused', async () => {
    const [theirs = ''] = (await addApp()).recoveryCodes;
    ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
    await addMember(ctx, { accountId, personId, role: 'viewer' });
    session = tokenIn(await signIn());
    await addApp();
    const response = await finish(pendingIn(await signIn()), { recovery_code: theirs });
    expect(response.status).toBe(422);
  });
});

describe('a passkey', () => {
  test('is required after the password, and signs in', async () => {
    const passkey = await addPasskey('Laptop');
    const pending = pendingIn(await signIn());
    expect(pending.kinds).toEqual(['passkey', 'recovery_code']);
    const signed = await signedFor(pending, passkey);
    expect((await finish(pending, { passkey: signed })).status).toBe(201);
    expect(await factors()).toMatchObject({
      passkeys: [{ name: 'Laptop', last_used_at: expect.any(String) as unknown }],
    });
  });

  test('signs each challenge once', async () => {
    const passkey = await addPasskey();
    const pending = pendingIn(await signIn());
    const signed = await signedFor(pending, passkey);
    expect((await finish(pending, { passkey: signed })).status).toBe(201);
    const again = pendingIn(await signIn());
    expect(detailsOf(await finish(again, { passkey: signed }))).toHaveProperty('passkey');
  });

  test.each([
    ['another page signed', 'https://elsewhere.example'],
    ['another port signed', 'https://service.example:8443'],
  ])('is refused if %s', async (_what, page) => {
    const passkey = await addPasskey();
    const pending = pendingIn(await signIn());
    const signed = await signedFor(pending, passkey, page);
    expect((await finish(pending, { passkey: signed })).status).toBe(422);
  });

  test('is refused if its owner gave no fingerprint, face or PIN', async () => {
    const passkey = await addPasskey();
    passkey.verifiesUser = false;
    const pending = pendingIn(await signIn());
    const signed = await signedFor(pending, passkey);
    expect((await finish(pending, { passkey: signed })).status).toBe(422);
  });

  test('of somebody else is refused, also with a challenge for its owner', async () => {
    const theirs = await addPasskey();
    const theirSigned = await signedFor(pendingIn(await signIn()), theirs);
    ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
    await addMember(ctx, { accountId, personId, role: 'viewer' });
    session = tokenIn(await signIn());
    await addPasskey();
    const pending = pendingIn(await signIn());
    expect((await finish(pending, { passkey: theirSigned })).status).toBe(422);
    expect((await finish(pending, { passkey: await signedFor(pending, theirs) })).status).toBe(422);
  });

  test('can be renamed, and is added once', async () => {
    const authenticator = await addPasskey('Laptop');
    const [{ uuid }] = (await factors()).passkeys as [{ uuid: string }];
    const renamed = await call(['PATCH', `second-factors/passkeys/${uuid}`, { name: 'Phone' }]);
    expect(dataOf(renamed)).toMatchObject({ name: 'Phone' });
    expect(await actions()).toContain('person.second_factor_renamed');
    expect((await createPasskey(authenticator)).status).toBe(422);
  });

  test('accepts no challenge that was made for another purpose', async () => {
    const passkey = await addPasskey();
    const forAdding = dataOf(await call(['POST', 'second-factors/passkeys/options']));
    const { rp } = forAdding as unknown as { rp: { id: string } };
    const signed = passkey.get({ options: { ...forAdding, rpId: rp.id }, origin: origin() });
    const pending = pendingIn(await signIn());
    expect(detailsOf(await finish(pending, { passkey: signed }))).toHaveProperty('passkey');

    const forUse = dataOf(await call(['POST', 'session/proof/passkey-options']));
    const options = { ...forUse, rp };
    const made = new SoftwareAuthenticator().create({ options, origin: origin() });
    const body = { name: 'Theirs', passkey: made };
    expect((await call(['POST', 'second-factors/passkeys', body])).status).toBe(422);
  });

  test('accepts only the person’s own challenge, within five minutes', async () => {
    const options = dataOf(await call(['POST', 'second-factors/passkeys/options']));
    ctx.clock.advance(5 * minuteMs);
    const late = new SoftwareAuthenticator().create({ options, origin: origin() });
    const body = { name: 'Late', passkey: late };
    expect((await call(['POST', 'second-factors/passkeys', body])).status).toBe(422);
  });

  test('needs a host name: a service with an address alone says so', async () => {
    const config = { ...ctx.config, publicUrl: new URL('http://192.0.2.7:3000') };
    const there = new TestApi({ ...ctx, config });
    const response = await call(['POST', 'second-factors/passkeys/options'], session, there);
    expect(detailsOf(response)).toEqual({
      passkey: ['Passkeys need a host name. Whoever runs this service sets it as PUBLIC_URL.'],
    });
  });
});

describe('a person with a second factor', () => {
  test('proves themselves with the password and a code, or a passkey alone', async () => {
    const app = await addApp();
    const passkey = await addPasskey();
    ctx.clock.advance(31 * minuteMs);
    expect(detailsOf(await prove({ password }))).toHaveProperty('code');
    expect(detailsOf(await prove({ code: app.code() }))).toHaveProperty('password');
    const both = await prove({ password, code: app.code() });
    expect(both.status).toBe(201);
    session = tokenIn(both);
    const options = dataOf(await call(['POST', 'session/proof/passkey-options']));
    const signed = passkey.get({ options, origin: origin() });
    expect((await prove({ passkey: signed })).status).toBe(201);
  });

  test('can change the password only with a fresh proof', async () => {
    const app = await addApp();
    ctx.clock.advance(31 * minuteMs);
    const change = { current_password: password, new_password: 'a staple that nobody knows' };
    const refused = await call(['POST', 'password', change]);
    expect((refused.body as { error: { code: string } }).error.code).toBe('PROOF_REQUIRED');
    session = tokenIn(await prove({ password, code: app.code() }));
    expect((await call(['POST', 'password', change])).status).toBe(200);
  });

  test('does not renew a proof by changing the password, which asks for no factor', async () => {
    const app = await addApp();
    ctx.clock.advance(31 * minuteMs);
    session = tokenIn(await prove({ password, code: app.code() }));
    ctx.clock.advance(20 * minuteMs);
    const change = { current_password: password, new_password: 'a staple that nobody knows' };
    session = String(dataOf(await call(['POST', 'password', change]))['session_token']);
    ctx.clock.advance(11 * minuteMs);
    const refused = await call(['DELETE', 'second-factors/app']);
    expect((refused.body as { error: { code: string } }).error.code).toBe('PROOF_REQUIRED');
  });

  test('is signed out everywhere else when they add the first one', async () => {
    const other = session;
    session = tokenIn(await signIn());
    await addApp();
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(session)).toBe(true);
    expect(await actions()).toContain('person.second_factor_added');
  });

  test('cannot use an older proof in other sessions after adding another factor', async () => {
    const app = await addApp();
    const other = session;
    session = tokenIn(await finish(pendingIn(await signIn()), { code: app.code() }));
    await addPasskey();
    const refused = await call(['DELETE', 'second-factors/app'], other);
    expect((refused.body as { error: { code: string } }).error.code).toBe('PROOF_REQUIRED');
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
  });

  test('signs in with the password alone once the last one is removed, and has no codes', async () => {
    await addApp();
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
    expect(await factors()).toMatchObject({ app: null, recovery_codes: null });
    expect((await signIn()).status).toBe(201);
    expect(subjects()).toContain('A second factor was removed');
    expect(await actions()).toContain('person.second_factor_removed');
  });

  test('keeps the codes while one is left', async () => {
    await addApp();
    await addPasskey();
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
    expect(await factors()).toMatchObject({ recovery_codes: { left: 10 } });
  });

  test('loses it and every session through an operator, but keeps the password', async () => {
    await addApp();
    await addPasskey();
    expect(await resetFactors(ctx, email)).toEqual({ app: true, passkeys: 1, endedSessions: 1 });
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn()).status).toBe(201);
    expect(await actions()).toContain('person.second_factors_reset');
  });

  test('loses it together with their password, if their address was never verified', async () => {
    await addApp();
    await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, personId));
    const elsewhere = await api.account();
    const owner = await elsewhere.member('owner');
    const { link } = await createInvitation(ctx, owner, { email, role: 'viewer' });
    const joined = await call([
      'POST',
      'invitations/join',
      { invitation_token: link?.split('#')[1], new_password: 'a staple that nobody knows' },
    ]);
    expect(joined.status).toBe(201);
    expect(await factors()).toMatchObject({ app: null });
    const entries = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, accountId));
    const change = entries.find(({ action }) => action === 'person.password_changed');
    expect(change?.changes).toMatchObject({ removed_second_factors: { app: true, passkeys: 0 } });
  });

  test('is shown as such to their team', async () => {
    await addApp();
    const [me] = dataOf(await call(['GET', 'members'])) as unknown as object[];
    expect(me).toMatchObject({ second_factor: { app: true, passkeys: 0 } });
  });
});

describe('an account that requires a second factor', () => {
  const requireFrom = async (from: Date) =>
    await ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: from })
      .where(eq(accounts.id, accountId));

  test('lets its members act without one until the date, and from then on only with one', async () => {
    await requireFrom(new Date(ctx.clock.now().getTime() + minuteMs));
    expect((await call(['GET', 'members'])).status).toBe(200);
    expect(dataOf(await call(['GET', 'session']))).toMatchObject({ lacks_second_factor: false });
    ctx.clock.advance(minuteMs);
    const refused = await call(['GET', 'members']);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Security')]);
    expect(dataOf(await call(['GET', 'session']))).toMatchObject({ lacks_second_factor: true });
    await addApp();
    expect((await call(['GET', 'members'])).status).toBe(200);
  });

  test('prevents a member from removing the last one', async () => {
    await addApp();
    await requireFrom(ctx.clock.now());
    expect(detailsOf(await call(['DELETE', 'second-factors/app']))).toHaveProperty('app');
    await addPasskey();
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
    expect(await factors()).toMatchObject({ app: null, recovery_codes: { left: 10 } });
  });

  test('allows removing the last one before the date, and nothing without one from then on', async () => {
    await addApp();
    await requireFrom(new Date(ctx.clock.now().getTime() + minuteMs));
    expect((await call(['DELETE', 'second-factors/app'])).status).toBe(204);
    ctx.clock.advance(minuteMs);
    for (const path of ['members', 'invitations', 'account']) {
      expect((await call(['GET', path])).status, path).toBe(403);
    }
    const account = { account: accountId };
    expect(dataOf(await call(['POST', 'session/account', account]))).toMatchObject({
      lacks_second_factor: true,
    });
    expect((await call(['GET', 'members'])).status).toBe(403);
  });

  test('lets installation support do nothing without one, whatever reason they give', async () => {
    await requireFrom(ctx.clock.now());
    ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
    await addSupporter(ctx, personId);
    await addMember(ctx, { accountId: await addAccount(ctx), personId, role: 'viewer' });
    session = tokenIn(await signIn());
    const there = { 'X-Dashboard-Account': accountId };
    const visit = { reason: 'They asked for help with a key' };
    const visited = await call(['POST', 'support-visits', visit], session, api, there);
    expect(visited.status).toBe(201);
    const refused = await call(['GET', 'members'], session, api, there);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Security')]);
    expect((await call(['GET', 'members'])).status).toBe(200);
  });

  test('asks nothing of its API keys', async () => {
    const account = await api.account();
    await ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: new Date(0) })
      .where(eq(accounts.id, account.id));
    const { token } = await account.key();
    expect((await api.call('GET', '/api/v1/api-keys', { token })).status).toBe(200);
  });
});

test('no secret of a second factor is in the audit log, the logs, or an email', async () => {
  const app = await addApp();
  const pending = pendingIn(await signIn());
  const code = app.code();
  await finish(pending, { code });
  const [recoveryCode = ''] = app.recoveryCodes;
  await finish(pendingIn(await signIn()), { recovery_code: recoveryCode });
  const written = JSON.stringify([await ctx.db.select().from(auditEntries), ctx.logged, ctx.mails]);
  for (const secret of [app.key, recoveryCode, pending.pending_token, `"${code}"`]) {
    expect(written).not.toContain(secret);
  }
});

describe('a sign-in on a device that is not known', () => {
  test('is emailed, and one on the same device again is not', async () => {
    ctx.forgetRecords();
    const first = await signIn();
    expect(ctx.mails).toMatchObject([
      { to: email, text: expect.stringContaining('203.0.113.') as unknown },
    ]);
    const { device_token: deviceToken } = dataOf(first);
    ctx.forgetRecords();
    expect((await signIn({ device_token: deviceToken })).status).toBe(201);
    expect(ctx.mails).toEqual([]);
  });

  test('causes an email after the second factor, not after the password', async () => {
    const app = await addApp();
    ctx.forgetRecords();
    const pending = pendingIn(await signIn());
    expect(ctx.mails).toEqual([]);
    await finish(pending, { code: app.code() });
    expect(subjects()).toEqual(['New sign-in on a device we do not know']);
  });
});

type App = { key: string; code: () => string; recoveryCodes: string[] };

/** Through the API, as a person would do it. */
async function addApp(): Promise<App> {
  const { key } = await startApp();
  const response = await confirmApp(codeOf(key, ctx.clock.now()));
  expect(response.status).toBe(201);
  const recoveryCodes = (dataOf(response)['recovery_codes'] ?? []) as string[];
  ctx.clock.advance(30_000);
  return { key, code: () => codeOf(key, ctx.clock.now()), recoveryCodes };
}

async function startApp(): Promise<{ key: string; uri: string }> {
  const { key, uri } = dataOf(await call(['POST', 'second-factors/app']));
  return { key: String(key), uri: String(uri) };
}

async function confirmApp(code: string): Promise<ApiResponse> {
  return await call(['POST', 'second-factors/app/confirm', { code }]);
}

async function addPasskey(name?: string): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator();
  expect((await createPasskey(authenticator, name)).status).toBe(201);
  return authenticator;
}

async function createPasskey(authenticator: SoftwareAuthenticator, name = 'Laptop') {
  const options = dataOf(await call(['POST', 'second-factors/passkeys/options']));
  const passkey = authenticator.create({ options, origin: origin() });
  return await call(['POST', 'second-factors/passkeys', { name, passkey }]);
}

/** The passkey's response to the challenge for this sign-in. */
async function signedFor(
  { pending_token }: PendingSignIn,
  passkey: SoftwareAuthenticator,
  page = origin(),
): Promise<PasskeyAssertion> {
  const path = 'session/second-factor/passkey-options';
  const options = dataOf(await call(['POST', path, { pending_token }], null));
  return passkey.get({ options, origin: page });
}

function origin(): string {
  return ctx.config.publicUrl.origin;
}

async function signIn(about: { device_token?: unknown } = {}): Promise<ApiResponse> {
  ctx.clock.advance(7000);
  return await call(['POST', 'session', { email, password, ...about }], null);
}

async function finish({ pending_token }: PendingSignIn, given: object): Promise<ApiResponse> {
  return await call(['POST', 'session/second-factor', { pending_token, ...given }], null);
}

async function prove(given: object): Promise<ApiResponse> {
  return await call(['POST', 'session/proof', given]);
}

async function factors() {
  return dataOf(await call(['GET', 'second-factors']));
}

async function isSignedIn(token: string): Promise<boolean> {
  return (await call(['GET', 'session'], token)).status === 200;
}

async function call(
  [method, path, body]: [method: string, path: string, body?: unknown],
  as: string | null = session,
  on = api,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return await on.call(method, `/api/dashboard/${path}`, {
    token: ctx.dashboardCredential,
    headers: {
      // Another address for each person, because this suite is not about limits on sign-ins from
      // one address.
      'X-Dashboard-Client': `203.0.113.${(personId.codePointAt(0) ?? 0) % 250} Firefox`,
      ...(as !== null && { 'X-Dashboard-Session': as }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

function pendingIn(response: ApiResponse): PendingSignIn {
  expect(response.status).toBe(202);
  return dataOf(response) as unknown as PendingSignIn;
}

function tokenIn(response: ApiResponse): string {
  expect(response.status).toBe(201);
  return String(dataOf(response)['session_token']);
}

function detailsOf({ body }: ApiResponse): unknown {
  return (body as { error: { details?: unknown } }).error.details;
}

function subjects(): string[] {
  return ctx.mails.map(({ subject }) => subject);
}

async function actions(): Promise<string[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId));
  return entries.map(({ action }) => action);
}
