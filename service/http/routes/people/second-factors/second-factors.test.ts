import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { people } from '../../../../db/schema/people/people.ts';
import { createInvitation } from '../../../../domain/people/invitations/create-invitation.ts';
import { resetFactors } from '../../../../domain/people/members/operator/reset-access.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { addAccount, addSupporter } from '../../../../testing/records/people.ts';
import {
  usePerson,
  TestPerson,
  auditedActions,
  password,
  tokenIn,
} from '../../../../testing/http/test-person.ts';

const { ctx, api, account, person } = usePerson('owner', { isSignedIn: true });

describe('a person with a second factor', () => {
  test('proves themselves with the password and a code, or a passkey alone', async () => {
    const app = await person.addApp();
    const passkey = await person.addPasskey();
    ctx.clock.advance(31 * minuteMs);
    expect(detailsOf(await person.prove({ password: password }))).toHaveProperty('code');
    expect(detailsOf(await person.prove({ code: app.code() }))).toHaveProperty('password');
    const both = await person.prove({ password: password, code: app.code() });
    expect(both.status).toBe(201);
    person.session = tokenIn(both);
    const options = dataOf(await person.post('/api/dashboard/session/proof/passkey-options'));
    const signed = passkey.get({ options, origin: ctx.config.publicUrl.origin });
    expect((await person.prove({ passkey: signed })).status).toBe(201);
  });

  test('can change the password only with a fresh proof', async () => {
    const app = await person.addApp();
    ctx.clock.advance(31 * minuteMs);
    const change = { current_password: password, new_password: 'a staple that nobody knows' };
    const refused = await person.post('/api/dashboard/password', change);
    expect(refused.body).toMatchObject({ error: { code: 'PROOF_REQUIRED' } });
    person.session = tokenIn(await person.prove({ password: password, code: app.code() }));
    expect((await person.post('/api/dashboard/password', change)).status).toBe(200);
  });

  test('does not renew a proof by changing the password, which asks for no factor', async () => {
    const app = await person.addApp();
    ctx.clock.advance(31 * minuteMs);
    person.session = tokenIn(await person.prove({ password: password, code: app.code() }));
    ctx.clock.advance(20 * minuteMs);
    const change = { current_password: password, new_password: 'a staple that nobody knows' };
    person.session = String(
      dataOf(await person.post('/api/dashboard/password', change))['session_token'],
    );
    ctx.clock.advance(11 * minuteMs);
    const refused = await person.delete('/api/dashboard/second-factors/app');
    expect(refused.body).toMatchObject({ error: { code: 'PROOF_REQUIRED' } });
  });

  test('is signed out everywhere else when they add the first one', async () => {
    const other = person.session;
    person.session = tokenIn(await person.signIn());
    await person.addApp();
    expect(await person.isSignedIn(other)).toBe(false);
    expect(await person.isSignedIn()).toBe(true);
    expect(await auditedActions(ctx, account.id)).toContain('person.second_factor_added');
  });

  test('cannot use an older proof in other sessions after adding another factor', async () => {
    const app = await person.addApp();
    const other = person.session;
    person.session = tokenIn(await person.finish(await person.beginSignIn(), { code: app.code() }));
    await person.addPasskey();
    const refused = await person.call('DELETE', '/api/dashboard/second-factors/app', {
      session: other,
    });
    expect(refused.body).toMatchObject({ error: { code: 'PROOF_REQUIRED' } });
    expect((await person.delete('/api/dashboard/second-factors/app')).status).toBe(204);
  });

  test('signs in with the password alone once the last one is removed, and has no codes', async () => {
    await person.addApp();
    expect((await person.delete('/api/dashboard/second-factors/app')).status).toBe(204);
    expect(await person.factors()).toMatchObject({ app: null, recovery_codes: null });
    expect((await person.signIn()).status).toBe(201);
    expect(ctx.mails.map(({ subject }) => subject)).toContain('A second factor was removed');
    expect(await auditedActions(ctx, account.id)).toContain('person.second_factor_removed');
  });

  test('loses it and every session through an operator, but keeps the password', async () => {
    await person.addApp();
    await person.addPasskey();
    expect(await resetFactors(ctx, person.email)).toEqual({
      app: true,
      passkeys: 1,
      endedSessions: 1,
    });
    expect(await person.isSignedIn()).toBe(false);
    expect((await person.signIn()).status).toBe(201);
    expect(await auditedActions(ctx, account.id)).toContain('person.second_factors_reset');
  });

  test('loses it together with their password, if their address was never verified', async () => {
    await person.addApp();
    await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, person.id));
    const owner = await (await api.account()).member('owner');
    const { link } = await createInvitation(ctx, owner, { email: person.email, role: 'viewer' });
    const joined = await person.post('/api/dashboard/invitations/join', {
      invitation_token: link?.split('#')[1],
      new_password: 'a staple that nobody knows',
    });
    expect(joined.status).toBe(201);
    expect(await person.factors()).toMatchObject({ app: null });
    const entries = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id));
    const change = entries.find(({ action }) => action === 'person.password_changed');
    expect(change?.changes).toMatchObject({ removed_second_factors: { app: true, passkeys: 0 } });
  });

  test('is shown as such to their team', async () => {
    await person.addApp();
    const [me] = dataOf<object[]>(await person.get('/api/dashboard/members'));
    expect(me).toMatchObject({ second_factor: { app: true, passkeys: 0 } });
  });
});

describe('an account that requires a second factor', () => {
  const requireFrom = async (from: Date) =>
    await ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: from })
      .where(eq(accounts.id, account.id));

  test('lets its members act without one until the date, and from then on only with one', async () => {
    await requireFrom(new Date(ctx.clock.now().getTime() + minuteMs));
    expect((await person.get('/api/dashboard/members')).status).toBe(200);
    expect(dataOf(await person.get('/api/dashboard/session'))).toMatchObject({
      lacks_second_factor: false,
    });
    ctx.clock.advance(minuteMs);
    const refused = await person.get('/api/dashboard/members');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Security')]);
    expect(dataOf(await person.get('/api/dashboard/session'))).toMatchObject({
      lacks_second_factor: true,
    });
    await person.addApp();
    expect((await person.get('/api/dashboard/members')).status).toBe(200);
  });

  test('prevents a member from removing the last one', async () => {
    await person.addApp();
    await requireFrom(ctx.clock.now());
    expect(detailsOf(await person.delete('/api/dashboard/second-factors/app'))).toHaveProperty(
      'app',
    );
    await person.addPasskey();
    expect((await person.delete('/api/dashboard/second-factors/app')).status).toBe(204);
    expect(await person.factors()).toMatchObject({ app: null, recovery_codes: { left: 10 } });
  });

  test('allows removing the last one before the date, and nothing without one from then on', async () => {
    await person.addApp();
    await requireFrom(new Date(ctx.clock.now().getTime() + minuteMs));
    expect((await person.delete('/api/dashboard/second-factors/app')).status).toBe(204);
    ctx.clock.advance(minuteMs);
    for (const path of ['members', 'invitations', 'account']) {
      expect((await person.get(path)).status, path).toBe(403);
    }
    const chosen = { account: account.id };
    expect(dataOf(await person.post('/api/dashboard/session/account', chosen))).toMatchObject({
      lacks_second_factor: true,
    });
    expect((await person.get('/api/dashboard/members')).status).toBe(403);
  });

  test('lets installation support do nothing without one, no matter what reason they give', async () => {
    await requireFrom(ctx.clock.now());
    const elsewhere = await addAccount(ctx);
    const supporter = await TestPerson.signedIn(ctx, { accountId: elsewhere, role: 'viewer' });
    await addSupporter(ctx, supporter.id);
    const there = { 'X-Dashboard-Account': account.id };
    const visit = { reason: 'They asked for help with a key' };
    const visited = await supporter.post('/api/dashboard/support-visits', visit, there);
    expect(visited.status).toBe(201);
    const refused = await supporter.get('/api/dashboard/members', there);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Security')]);
    expect((await supporter.get('/api/dashboard/members')).status).toBe(200);
  });

  test('asks nothing of its API keys', async () => {
    const other = await api.account();
    await ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: new Date(0) })
      .where(eq(accounts.id, other.id));
    const { token } = await other.key();
    expect((await api.as(token).get('/api/v1/api-keys')).status).toBe(200);
  });
});

test('no secret of a second factor is in the audit log, the logs, or an email', async () => {
  const app = await person.addApp();
  const pending = await person.beginSignIn();
  const code = app.code();
  await person.finish(pending, { code });
  const [recoveryCode = ''] = app.recoveryCodes;
  await person.finish(await person.beginSignIn(), { recovery_code: recoveryCode });
  const written = JSON.stringify([await ctx.db.select().from(auditEntries), ctx.logged, ctx.mails]);
  for (const secret of [app.key, recoveryCode, pending.pending_token, `"${code}"`]) {
    expect(written).not.toContain(secret);
  }
});
