import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import { hourMs } from '#lib/durations.ts';
import { readAdminCommand } from '../../../../admin/commands.ts';
import type { AdminOutcome } from '../../../../admin/outcome.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { invitations, members } from '../../../../db/schema/people/members.ts';
import { people } from '../../../../db/schema/people/people.ts';
import { passkeys } from '../../../../db/schema/people/second-factors.ts';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import type { AccountId } from '../../../../domain/account-id.ts';
import { dataOf, detailsOf, itemsOf, TestAccount, TestApi } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import { createTestContext } from '../../../../testing/context.ts';
import type { TestContext } from '../../../../testing/context.ts';
import { addAccount, addMember, addPerson } from '../../../../testing/records/people.ts';
import { addPasskey } from '../../../../testing/records/second-factors.ts';

const password = 'correct horse battery';
const another = 'a staple that nobody knows';

type Person = { id: string; email: string; session: string };

/** Two services, one with a mail server and one without. */
let mailing: TestApi;
let copying: TestApi;
let ctx: TestContext;
let passwordHash: string;
let accountId: AccountId;
let owner: Person;
let admin: Person;

beforeAll(async () => {
  ctx = await createTestContext({ config: { smtpUrl: 'smtp://mail.example.com' } });
  mailing = new TestApi(ctx);
  copying = new TestApi({ ...ctx, config: { ...ctx.config, smtpUrl: null } });
  passwordHash = await ctx.auth.hashPassword(password);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  ctx.clock.advance(hourMs);
  accountId = await addAccount(ctx, 'Marlow & Finch');
  owner = await addSignedIn('owner');
  admin = await addSignedIn('admin');
});

async function addSignedIn(role: Role, into = accountId): Promise<Person> {
  const { id, email } = await addPerson(ctx, { name: `Ida ${role}`, passwordHash });
  await addMember(ctx, { accountId: into, personId: id, role });
  return { id, email, session: await signIn(email) };
}

async function signIn(email: string, given = password): Promise<string> {
  const response = await call(null, ['POST', 'session', { email, password: given }]);
  expect(response.status).toBe(201);
  return sessionOf(response);
}

let addresses = 0;

async function call(
  session: string | null,
  [method, path, body]: [method: string, path: string, body?: unknown],
  api = mailing,
): Promise<ApiResponse> {
  addresses += 1;
  return await api.call(method, `/api/dashboard/${path}`, {
    token: ctx.dashboardCredential,
    headers: {
      'X-Dashboard-Client': `10.1.${addresses >> 8}.${addresses & 255} Firefox`,
      ...(session !== null && { 'X-Dashboard-Session': session }),
    },
    ...(body !== undefined && { body }),
  });
}

function sessionOf(response: ApiResponse): string {
  return String(dataOf(response)['session_token']);
}

const newAddress = () => `${crypto.randomUUID()}@example.com`;

async function invite(
  by: Person,
  {
    email = newAddress(),
    role = 'viewer',
    api = mailing,
    ...rest
  }: { email?: string; role?: string; api?: TestApi; support_tokens?: string } = {},
): Promise<ApiResponse> {
  return await call(by.session, ['POST', 'invitations', { email, role, ...rest }], api);
}

/** The token of the last link that was emailed to an address. */
function mailedToken(email: string): string {
  const mail = ctx.mails.findLast(({ to }) => to === email);
  return /\/invitation#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

function linkedToken(response: ApiResponse): string {
  return String(dataOf(response)['link']).split('#')[1] ?? '';
}

const check = (token: string) =>
  call(null, ['POST', 'invitations/check', { invitation_token: token }]);

async function accept(token: string, about: object = {}): Promise<ApiResponse> {
  const body = { invitation_token: token, name: 'Mika Sato', password: another, ...about };
  return await call(null, ['POST', 'invitations/accept', body]);
}

async function join(person: Pick<Person, 'session'>, token: string, about: object = {}) {
  const body = { invitation_token: token, ...about };
  return await call(person.session, ['POST', 'invitations/join', body]);
}

const list = async (by = owner) => itemsOf(await call(by.session, ['GET', 'invitations']));

async function roleOf(email: string, inAccount = accountId): Promise<Role | undefined> {
  const [row] = await ctx.db
    .select({ role: members.role })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(people.email, email), eq(members.accountId, inAccount)));
  return row?.role;
}

async function audited(action: string) {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, accountId), eq(auditEntries.action, action)));
}

const spent = {
  invitation_token: ['This invitation is no longer valid. Ask whoever invited you for a new one.'],
};

describe('an invitation', () => {
  test('is emailed to its address with a link that no response, list, audit entry or table contains', async () => {
    const email = newAddress();
    const response = await invite(admin, { email, role: 'support' });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({
      email,
      role: 'support',
      was_mailed: true,
      link: null,
    });
    const token = mailedToken(email);
    expect(token).toHaveLength(43);
    const shown = await list();
    expect(shown).toMatchObject([{ email, role: 'support', invited_by: { name: 'Ida admin' } }]);
    const entries = await audited('invitation.created');
    expect(entries).toMatchObject([{ actor: { id: admin.id }, target: { name: email } }]);
    const stored = await ctx.db.select().from(invitations);
    expect(JSON.stringify([response.body, shown, entries, stored])).not.toContain(token);
  });

  test('shows its content to anybody with its link, without being used up', async () => {
    const email = newAddress();
    await invite(admin, { email, role: 'support' });
    for (const time of [1, 2]) {
      expect(dataOf(await check(mailedToken(email))), `time ${time}`).toMatchObject({
        account_name: 'Marlow & Finch',
        invited_by: 'Ida admin',
        email,
        role: 'support',
        step: 'create_account',
      });
    }
  });

  test('makes a new person a member and signs them in, once', async () => {
    const email = newAddress();
    await invite(admin, { email, role: 'support' });
    const token = mailedToken(email);
    const response = await accept(token);
    expect(response.status).toBe(201);
    const session = await call(sessionOf(response), ['GET', 'session']);
    expect(dataOf(session)).toMatchObject({
      person: { name: 'Mika Sato', email },
      account: { id: accountId },
      role: 'support',
    });
    expect(await list()).toEqual([]);
    expect(detailsOf(await accept(token))).toEqual(spent);
    expect(detailsOf(await check(token))).toEqual(spent);
    expect(await audited('member.added')).toMatchObject([
      { changes: { email, role: 'support', invited_by: 'Ida admin' } },
    ]);
  });

  test('that is accepted is announced by email to those who manage the team, and to nobody else', async () => {
    const email = newAddress();
    await invite(admin, { email, role: 'support' });
    const before = ctx.mails.length;
    await accept(mailedToken(email));
    const told = ctx.mails.slice(before).filter(({ kind }) => kind === 'member.joined');
    const managers = [owner, admin].map((each) => each.email);
    expect(told.map(({ to }) => to).toSorted()).toEqual(managers.toSorted());
    expect(told[0]?.subject).toBe('Your team has a new member: "Mika Sato"');
    expect(told[0]?.text).toMatch(
      /\nName: Mika Sato\nEmail address: .+\nRole: Support\nAdded by: Ida admin\nAccount: /,
    );
    expect(told[0]?.action.url).toMatch(new RegExp(`/a/${accountId}/settings/team$`));
  });

  test('is accepted by only one of two people who try at once', async () => {
    const email = newAddress();
    await invite(admin, { email });
    const token = mailedToken(email);
    const statuses = (await Promise.all([accept(token), accept(token)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 422]);
  });

  test('works for 72 hours', async () => {
    const email = newAddress();
    await invite(admin, { email });
    ctx.clock.advance(72 * hourMs - 1);
    expect((await check(mailedToken(email))).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await check(mailedToken(email)))).toEqual(spent);
    expect(detailsOf(await accept(mailedToken(email)))).toEqual(spent);
  });

  test('sent again has a new link for another 72 hours, and the previous link is invalid', async () => {
    const email = newAddress();
    const { uuid } = dataOf(await invite(admin, { email }));
    const first = mailedToken(email);
    ctx.clock.advance(80 * hourMs);
    const again = await signIn(owner.email);
    expect((await call(again, ['POST', `invitations/${String(uuid)}/renew`])).status).toBe(201);
    expect(detailsOf(await check(first))).toEqual(spent);
    expect((await accept(mailedToken(email))).status).toBe(201);
  });

  test('that is revoked, or of another account, no longer works and is not found', async () => {
    const email = newAddress();
    const path = `invitations/${String(dataOf(await invite(admin, { email }))['uuid'])}`;
    const stranger = await addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    expect((await call(stranger.session, ['DELETE', path])).status).toBe(404);
    expect((await call(stranger.session, ['POST', `${path}/renew`])).status).toBe(404);
    expect(await list(stranger)).toEqual([]);
    expect((await call(admin.session, ['DELETE', path])).status).toBe(204);
    expect((await call(admin.session, ['DELETE', path])).status).toBe(404);
    expect(detailsOf(await accept(mailedToken(email)))).toEqual(spent);
    expect(await audited('invitation.revoked')).toHaveLength(1);
  });

  test('exists once for an address, never for a member, and at most 50 times an hour', async () => {
    const email = newAddress();
    await invite(admin, { email });
    expect(detailsOf(await invite(admin, { email: email.toUpperCase() }))).toEqual({
      email: ['This person is invited already. Send the invitation again instead.'],
    });
    expect(detailsOf(await invite(admin, { email: owner.email }))).toEqual({
      email: ['This person is a member already.'],
    });
    for (let made = 3; made < 49; made += 1) await invite(admin);
    expect((await invite(admin)).status).toBe(201);
    expect((await invite(admin)).status).toBe(429);
  });

  test('says what is missing, and stays valid until it is accepted', async () => {
    const email = newAddress();
    await invite(admin, { email });
    const token = mailedToken(email);
    expect(detailsOf(await accept(token, { name: undefined }))).toEqual({
      name: ['Enter your name.'],
    });
    expect(detailsOf(await accept(token, { password: 'short' }))).toHaveProperty('password');
    expect(detailsOf(await accept(token, { password: email }))).toHaveProperty('password');
    expect((await accept(token)).status).toBe(201);
  });
});

test('one address tries 30 links a minute, whether it checks or accepts them', async () => {
  const tryLink = (index: number) =>
    mailing.call('POST', `/api/dashboard/invitations/${index % 2 === 0 ? 'check' : 'accept'}`, {
      token: ctx.dashboardCredential,
      headers: { 'X-Dashboard-Client': '192.0.2.77 Firefox' },
      body: { invitation_token: 'x', ...(index % 2 === 1 && { name: 'Mika', password: another }) },
    });
  for (let tried = 0; tried < 30; tried += 1) {
    expect(detailsOf(await tryLink(tried))).toEqual(spent);
  }
  expect((await tryLink(30)).status).toBe(429);
  expect((await tryLink(31)).status).toBe(429);
});

describe('who may invite', () => {
  test('owners invite owners, admins do not, and nobody else invites', async () => {
    const refused = await invite(admin, { role: 'owner' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Only an owner can make somebody an owner');
    for (const role of ['support', 'viewer'] as const) {
      const person = await addSignedIn(role);
      expect((await invite(person)).status).toBe(403);
      expect((await call(person.session, ['GET', 'invitations'])).status).toBe(403);
    }
    const { uuid } = dataOf(await invite(owner, { role: 'owner' }));
    expect((await call(admin.session, ['POST', `invitations/${String(uuid)}/renew`])).status).toBe(
      403,
    );
  });

  test.each([
    ['removed', ['support', 'admin']],
    ['a viewer', ['support', 'admin']],
  ] as const)('invitations of somebody who is %s are void at once', async (what, roles) => {
    const emails = roles.map(newAddress);
    for (const [index, role] of roles.entries()) {
      await invite(admin, { email: emails[index] ?? '', role });
    }
    const path = `members/${admin.id}`;
    await call(
      owner.session,
      what === 'removed' ? ['DELETE', path] : ['PATCH', path, { role: 'viewer' }],
    );
    expect(await list()).toEqual([]);
    for (const email of emails) expect(detailsOf(await accept(mailedToken(email)))).toEqual(spent);
    expect(await audited('invitation.revoked')).toHaveLength(2);
  });

  test('an owner can change what support can see with an invitation, and only if it is made', async () => {
    const supportTokens = async () => {
      const { support } = dataOf(await call(owner.session, ['GET', 'account']));
      return (support as { tokens: string }).tokens;
    };
    const stronger = { role: 'support', support_tokens: 'all_but_management' } as const;
    expect((await invite(owner, { email: owner.email, ...stronger })).status).toBe(422);
    expect((await invite(admin, stronger)).status).toBe(403);
    expect(await supportTokens()).toBe('within_role');
    expect(await audited('account.support_access_changed')).toEqual([]);
    expect((await invite(owner, stronger)).status).toBe(201);
    expect(await supportTokens()).toBe('all_but_management');
    expect(await audited('account.support_access_changed')).toHaveLength(1);
  });

  test('an owner who becomes an admin keeps the invitations an admin could have made', async () => {
    const second = await addSignedIn('owner');
    await invite(second, { email: 'kept@example.com', role: 'admin' });
    await invite(second, { role: 'owner' });
    await call(owner.session, ['PATCH', `members/${second.id}`, { role: 'admin' }]);
    expect((await list()).map(({ email }) => email)).toEqual(['kept@example.com']);
  });

  test('API keys cannot call routes of invitations', async () => {
    const { token } = await new TestAccount(ctx, accountId).key();
    for (const [method, path] of [
      ['GET', 'invitations'],
      ['POST', 'invitations'],
      ['POST', `invitations/${crypto.randomUUID()}/renew`],
      ['DELETE', `invitations/${crypto.randomUUID()}`],
      ['POST', 'invitations/check'],
      ['POST', 'invitations/accept'],
      ['POST', 'invitations/join'],
    ] as const) {
      const response = await mailing.call(method, `/api/dashboard/${path}`, { token });
      expect([path, response.status]).toEqual([path, 403]);
    }
  });
});

describe('somebody who has an account already', () => {
  test('joins as the person who is signed in, and keeps both accounts', async () => {
    const elsewhere = await addAccount(ctx, 'Elsewhere');
    const person = await addSignedIn('owner', elsewhere);
    // They joined the other account first.
    ctx.clock.advance(1000);
    await invite(admin, { email: person.email, role: 'support' });
    const token = mailedToken(person.email);
    expect(dataOf(await check(token))['step']).toBe('sign_in');
    expect(detailsOf(await accept(token))).toEqual({
      invitation_token: [`Sign in as ${person.email} to accept this invitation.`],
    });
    const joined = await join(person, token);
    expect([joined.status, dataOf(joined)]).toEqual([
      201,
      { account: { id: accountId, name: 'Marlow & Finch' } },
    ]);
    expect(dataOf(await call(person.session, ['GET', 'session']))).toMatchObject({
      account: { id: accountId },
      role: 'support',
      accounts: [{ name: 'Elsewhere' }, { name: 'Marlow & Finch' }],
    });
    expect(await signIn(person.email)).not.toBe('');
  });

  test('nobody can join with the invitation of another person', async () => {
    const person = await addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    await invite(admin, { email: person.email });
    const thief = await addSignedIn('owner', await addAccount(ctx, 'Thieves'));
    const response = await join(thief, mailedToken(person.email));
    expect(response.status).toBe(403);
    expect(response.text).toContain(`This invitation is for ${person.email}.`);
    expect(await roleOf(person.email)).toBeUndefined();
    expect((await join(person, mailedToken(person.email))).status).toBe(201);
  });

  test('a person who was made a member meanwhile is told so', async () => {
    const person = await addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    await invite(admin, { email: person.email });
    await addMember(ctx, { accountId, personId: person.id, role: 'viewer' });
    expect(detailsOf(await join(person, mailedToken(person.email)))).toEqual({
      invitation_token: ['You are a member of this account already. Sign in.'],
    });
  });
});

describe('somebody who exists but belongs to no account', () => {
  async function addRemoved(): Promise<Pick<Person, 'id' | 'email'>> {
    const { id, email } = await addPerson(ctx, { passwordHash });
    return { id, email };
  }

  const trySignIn = (email: string) => call(null, ['POST', 'session', { email, password }]);

  test('signs in while an invitation for their address is open, and joins with it', async () => {
    const { email } = await addRemoved();
    expect((await trySignIn(email)).status).toBe(422);
    await invite(admin, { email, role: 'support' });
    const token = mailedToken(email);
    expect(dataOf(await check(token))['step']).toBe('sign_in');
    const session = await signIn(email);
    expect((await call(session, ['GET', 'session'])).status).toBe(401);
    expect(dataOf(await join({ session }, token))).toEqual({
      account: { id: accountId, name: 'Marlow & Finch' },
    });
    expect(dataOf(await call(session, ['GET', 'session']))).toMatchObject({ role: 'support' });
  });

  test('does not sign in once the invitation expired, was revoked, or is for somebody else', async () => {
    const [expired, revoked, other] = await Promise.all([addRemoved(), addRemoved(), addRemoved()]);
    const { uuid } = dataOf(await invite(admin, { email: revoked.email }));
    await call(admin.session, ['DELETE', `invitations/${String(uuid)}`]);
    await invite(admin, { email: expired.email });
    ctx.clock.advance(72 * hourMs);
    await invite({ ...owner, session: await signIn(owner.email) });
    for (const { id, email } of [expired, revoked, other]) {
      expect(detailsOf(await trySignIn(email))).toHaveProperty('email');
      expect(await ctx.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
    }
  });

  test('can join only with their own invitation, and ends their session by signing out', async () => {
    const { id, email } = await addRemoved();
    await invite(admin, { email });
    const session = await signIn(email);
    const elsewhere = newAddress();
    await invite(admin, { email: elsewhere });
    expect((await join({ session }, mailedToken(elsewhere))).status).toBe(403);
    expect((await call(session, ['DELETE', 'session'])).status).toBe(204);
    expect(await ctx.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
    expect((await join({ session }, mailedToken(email))).status).toBe(401);
  });

  test('needs a fresh proof to choose a new password long after they signed in', async () => {
    const { id, email } = await addRemoved();
    await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, id));
    const token = linkedToken(await invite(admin, { email, api: copying }));
    expect(dataOf(await check(token))).toMatchObject({
      step: 'sign_in',
      needs_new_password: true,
    });
    const session = await signIn(email);
    ctx.clock.advance(hourMs);
    const refused = await join({ session }, token, { new_password: another });
    expect([refused.status, refused.text.includes('PROOF_REQUIRED')]).toEqual([403, true]);
    const again = await signIn(email);
    expect((await join({ session: again }, token, { new_password: another })).status).toBe(201);
  });
});

describe('without a mail server', () => {
  test('the link is shown to whoever invites, once, and nothing is emailed', async () => {
    const email = newAddress();
    const response = await invite(admin, { email, api: copying });
    expect(dataOf(response)).toMatchObject({ was_mailed: false });
    expect(String(dataOf(response)['link'])).toMatch(/^http.*\/invitation#[\w-]{43}$/);
    expect(mailedToken(email)).toBe('');
    expect(JSON.stringify(await list())).not.toContain(linkedToken(response));
    expect((await accept(linkedToken(response))).status).toBe(201);
  });

  /** Invites an address, accepts the invitation in its name, and waits, as a thief would. */
  async function takeAddress(email: string): Promise<{ thief: string; elsewhere: AccountId }> {
    const elsewhere = await addAccount(ctx, 'Thieves');
    const host = await addSignedIn('owner', elsewhere);
    const { link } = dataOf(await invite(host, { email, api: copying })) as { link?: string };
    const accepted = await accept(String(link).split('#')[1] ?? '', { password });
    return { thief: sessionOf(accepted), elsewhere };
  }

  test('somebody who took an address before loses it to the person who reads its email', async () => {
    const email = newAddress();
    const { thief } = await takeAddress(email);
    await invite(admin, { email, role: 'admin' });
    const token = mailedToken(email);
    expect(dataOf(await check(token))['step']).toBe('set_password');
    expect(detailsOf(await join({ session: thief }, token, { new_password: another }))).toEqual({
      invitation_token: ['Sign out, then open the link again to choose a password.'],
    });
    expect((await accept(token, { name: undefined })).status).toBe(201);
    expect((await call(thief, ['GET', 'session'])).status).toBe(401);
    expect((await call(null, ['POST', 'session', { email, password }])).status).toBe(422);
    expect(await roleOf(email)).toBe('admin');
    // From now on the address is theirs.
    await invite(await addSignedIn('owner', await addAccount(ctx, 'Third')), { email });
    expect(dataOf(await check(mailedToken(email)))['step']).toBe('sign_in');
  });

  describe('somebody who took an address before loses it once an operator gives its owner a place', () => {
    async function command(...args: string[]): Promise<AdminOutcome> {
      const run = readAdminCommand(args);
      if (typeof run !== 'function') throw new Error(run.text);
      return await run(ctx);
    }

    async function personOf(email: string) {
      const [person] = await ctx.db.select().from(people).where(eq(people.email, email));
      if (!person) throw new Error(`nobody is ${email}`);
      return person;
    }

    test.each([
      ['add-member', (email: string) => ['add-member', accountId, email, 'owner']],
      ['add-support', (email: string) => ['add-support', email]],
      ['create-account', (email: string) => ['create-account', 'Corp', email]],
    ])('with %s', async (_name, args) => {
      const email = newAddress();
      const { thief } = await takeAddress(email);
      const { id } = await personOf(email);
      await addPasskey(ctx, id);

      const { exitCode, text } = await command(...args(email));
      expect(exitCode).toBe(0);
      expect(text).toContain('Nobody had verified that this email address is theirs');
      const mail = ctx.mails.at(-1);
      expect(mail).toMatchObject({ to: email, subject: 'Your password was reset' });
      expect(mail?.text).toContain('nobody had verified that this address is yours');
      expect((await call(thief, ['GET', 'session'])).status).toBe(401);
      expect((await call(null, ['POST', 'session', { email, password }])).status).toBe(422);
      expect(await ctx.db.$count(passkeys, eq(passkeys.personId, id))).toBe(0);
      const given = /^ {2}(\S+)$/m.exec(text)?.[1] ?? '';
      expect(await signIn(email, given)).not.toBe('');
      expect(await personOf(email)).toMatchObject({ isUnverified: false });

      // From now on the address is theirs.
      const again = await command('create-account', 'Another', email);
      expect(again.text).toContain('They sign in with the password they have.');
    });

    test('with a new role, and every account’s audit log says so', async () => {
      const email = newAddress();
      const { thief, elsewhere } = await takeAddress(email);
      expect(await command('add-member', elsewhere, email, 'viewer')).toMatchObject({
        text: expect.stringContaining('Nothing changed.'),
      });
      expect((await call(thief, ['GET', 'session'])).status).toBe(200);
      const { text } = await command('add-member', elsewhere, email, 'owner');
      expect(text).toMatch(/^Changed the role of .* from viewer to owner\. Nobody had verified/);
      expect((await call(thief, ['GET', 'session'])).status).toBe(401);
      const entries = await ctx.db
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.accountId, elsewhere),
            eq(auditEntries.action, 'person.access_reset'),
          ),
        );
      expect(entries).toMatchObject([
        { actor: { name: 'Operator' }, changes: { ended_sessions: 1, passkeys: 0 } },
      ]);
    });
  });

  test('a copied link alone takes over nobody, and joining with it needs a new password', async () => {
    const email = newAddress();
    const { thief: person, elsewhere } = await takeAddress(email);
    const other = await signIn(email);
    const token = linkedToken(await invite(admin, { email, api: copying }));
    expect(dataOf(await check(token))['step']).toBe('sign_in');
    expect(detailsOf(await accept(token))).toHaveProperty('invitation_token');
    expect(detailsOf(await join({ session: person }, token))).toEqual({
      new_password: ['Choose a new password to join.'],
    });
    expect((await join({ session: person }, token, { new_password: another })).status).toBe(201);
    expect((await call(other, ['GET', 'session'])).status).toBe(401);
    expect((await call(person, ['GET', 'session'])).status).toBe(200);
    expect(await roleOf(email)).toBe('viewer');
    expect(await roleOf(email, elsewhere)).toBe('viewer');
    expect(await signIn(email, another)).not.toBe('');
  });
});
