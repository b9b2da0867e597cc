import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { passwordResets } from '../../../db/schema/people/credentials.ts';
import { people } from '../../../db/schema/people/people.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../../db/schema/people/second-factors.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { resetAccess } from '../../../domain/people/members/operator/reset-access.ts';
import { deleteExpiredLinks } from '../../../domain/people/open-link.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { logStatements } from '../../../testing/databases/log-statements.ts';
import { addApp, addPasskey, addRecoveryCode } from '../../../testing/records/second-factors.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useApi } from '../../../testing/use-api.ts';

const password = 'correct horse battery';
const chosen = 'a staple that nobody knows';

const { ctx, api } = useApi({ config: { smtpUrl: 'smtp://mail.example.com' } });
let passwordHash: string;
let accountIds: AccountId[];
let ann: { id: string; email: string };

beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  ctx.forgetRecords();
  ann = await addPerson(ctx, { passwordHash });
  accountIds = [await addAccount(ctx), await addAccount(ctx, 'Elsewhere')];
  for (const accountId of accountIds) {
    await addMember(ctx, { accountId, personId: ann.id, role: 'viewer' });
  }
});

async function post(
  path: string,
  body: unknown,
  { on = api, ip }: { on?: TestApi; ip?: string } = {},
): Promise<ApiResponse> {
  const headers = ip === undefined ? {} : { 'X-Dashboard-Client': `${ip} Firefox` };
  return await on.asNobody().post(`/api/dashboard/${path}`, body, headers);
}

const ask = (email: string, options = {}) => post('password-reset', { email }, options);
const check = (token: string, options = {}) =>
  post('password-reset/check', { reset_token: token }, options);
const finish = (token: string, given = chosen) =>
  post('password-reset/finish', { reset_token: token, new_password: given });
const signIn = (email: string, given: string) => post('session', { email, password: given });
const changePassword = (session: string, body: unknown) =>
  api.as({ personId: session }).post('/api/dashboard/password', body);

async function openSession(): Promise<string> {
  return String(dataOf(await signIn(ann.email, password))['session_token']);
}

/** The token of the last link that was emailed to an address. */
function mailedToken(email: string): string {
  const links = ctx.mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => /https?:\S+\/reset-password#([\w-]+)/.exec(text)?.[1] ?? []);
  return links.at(-1) ?? '';
}

async function askedToken(email = ann.email): Promise<string> {
  await ask(email);
  return mailedToken(email);
}

async function audited(action: string) {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.action, action), eq(auditEntries.actor, by())));
}

const by = () => ({ kind: 'person' as const, id: ann.id, name: 'Ann' });

const spent = { reset_token: ['This link is no longer valid. Ask for a new one.'] };

describe('a link to choose a new password', () => {
  test('is emailed to the person, and is in no response and no table', async () => {
    const response = await ask(ann.email);
    expect(response.status).toBe(202);
    const token = mailedToken(ann.email);
    expect(token).toHaveLength(43);
    expect(response.text).not.toContain(token);
    const stored = await ctx.db.select().from(passwordResets);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(JSON.stringify(ctx.logged)).not.toContain(token);
  });

  test('shows whose password it resets and until when, without being used up', async () => {
    const token = await askedToken();
    const expected = { email: ann.email, expires_at: expect.any(String) };
    expect(dataOf(await check(token))).toEqual(expected);
    expect(dataOf(await check(token))).toEqual(expected);
  });

  test('sets the password, ends every session and opens none', async () => {
    const [here, there] = [await openSession(), await openSession()];
    const response = await finish(await askedToken());
    expect(dataOf(response)).toEqual({ email: ann.email });
    for (const session of [here, there]) {
      const person = api.as({ personId: session });
      expect((await person.get('/api/dashboard/session')).status).toBe(401);
    }
    expect((await signIn(ann.email, password)).status).toBe(422);
    expect((await signIn(ann.email, chosen)).status).toBe(201);
  });

  test('works once, even for two concurrent calls', async () => {
    const token = await askedToken();
    const responses = await Promise.all([
      finish(token),
      finish(token, 'another that nobody knows'),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const again = await finish(token);
    expect(detailsOf(again)).toEqual(spent);
    expect(detailsOf(await check(token))).toEqual(spent);
  });

  test('works for 30 minutes, to the millisecond', async () => {
    const token = await askedToken();
    ctx.clock.advance(30 * minuteMs - 1);
    expect((await check(token)).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await check(token))).toEqual(spent);
    expect(detailsOf(await finish(token))).toEqual(spent);
  });

  test('no longer works once there is a newer one', async () => {
    const first = await askedToken();
    const second = await askedToken();
    expect(detailsOf(await finish(first))).toEqual(spent);
    expect((await finish(second)).status).toBe(200);
  });

  test('no longer works once the password was changed in another way', async () => {
    const atHome = await askedToken();
    const session = await openSession();
    const change = { current_password: password, new_password: chosen };
    expect((await changePassword(session, change)).status).toBe(200);
    expect(detailsOf(await finish(atHome, 'another that nobody knows'))).toEqual(spent);

    const fromOperator = await askedToken();
    await resetAccess(ctx, ann.email);
    expect(detailsOf(await finish(fromOperator))).toEqual(spent);
  });

  test('is not used up by a password that is easy to guess or short', async () => {
    const token = await askedToken();
    for (const weak of ['password1234', 'short', ann.email.slice(0, 40), 'Marlow & Finch 2026']) {
      expect(Object.keys(detailsOf(await finish(token, weak)))).toEqual(['new_password']);
    }
    expect((await finish(token)).status).toBe(200);
  });

  test('is void once its address belongs to someone else', async () => {
    const token = await askedToken();
    await ctx.db
      .update(people)
      .set({ email: `new-${ann.email}` })
      .where(eq(people.id, ann.id));
    expect(detailsOf(await finish(token))).toEqual(spent);
  });

  test('removes no second factor', async () => {
    await addApp(ctx, { personId: ann.id, email: ann.email });
    await addPasskey(ctx, ann.id);
    await addRecoveryCode(ctx, ann.id);
    expect((await finish(await askedToken())).status).toBe(200);
    for (const factors of [authenticatorApps, passkeys, recoveryCodes]) {
      expect(await ctx.db.$count(factors, eq(factors.personId, ann.id))).toBe(1);
    }
    expect(dataOf(await signIn(ann.email, chosen))).not.toHaveProperty('session_token');
  });

  test('leaves an unverified person unverified', async () => {
    await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, ann.id));
    expect((await finish(await askedToken())).status).toBe(200);
    const [person] = await ctx.db.select().from(people).where(eq(people.id, ann.id));
    expect(person?.isUnverified).toBe(true);
  });

  test('is forgotten once it has expired', async () => {
    await ask(ann.email);
    ctx.clock.advance(30 * minuteMs);
    await deleteExpiredLinks(ctx);
    expect(await ctx.db.select().from(passwordResets)).toEqual([]);
  });
});

describe('asking for it', () => {
  test('does not reveal whether the person exists: same response, same statements', async () => {
    const statements: string[] = [];
    const logged = new TestApi({ ...ctx, db: logStatements(ctx.database, statements) });
    const known = await ask(ann.email, { on: logged });
    const forKnown = statements.splice(0);
    const unknown = await ask(`nobody-${ann.email}`, { on: logged });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    expect(statements).toEqual(forKnown);
    expect(forKnown.length).toBeGreaterThan(0);
    // Both requests store a link, so that one does not wait longer for the disk than the other.
    expect(
      await ctx.db.$count(passwordResets, eq(passwordResets.email, `nobody-${ann.email}`)),
    ).toBe(1);
    expect(ctx.mails.map(({ to }) => to)).toEqual([ann.email]);
  });

  test('more than 5 times an hour from one address sends nothing more, voids no link and looks the same, whether the person exists or not', async () => {
    const from = { ip: '198.51.100.8' };
    for (const email of [ann.email, `nobody-${ann.email}`]) {
      const responses = [];
      for (let asked = 0; asked < 5; asked += 1) responses.push(await ask(email, from));
      responses.push(await ask(email.toUpperCase(), from));
      expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(202));
      expect(new Set(responses.map(({ text }) => text))).toHaveLength(1);
    }
    expect(ctx.mails).toHaveLength(5);
    expect((await check(mailedToken(ann.email))).status).toBe(200);
    // From elsewhere, where the person is, it still works.
    expect((await finish(await askedToken())).status).toBe(200);
    expect(ctx.mails.map(({ kind }) => kind)).toContain('password.changed');
  });

  test('from many addresses sends 10 links an hour at most', async () => {
    for (let asked = 0; asked < 12; asked += 1) expect((await ask(ann.email)).status).toBe(202);
    expect(ctx.mails).toHaveLength(10);
    ctx.clock.advance(hourMs);
    await ask(ann.email);
    expect(ctx.mails).toHaveLength(11);
  });

  test('is refused beyond 20 an hour from one address', async () => {
    const from = { ip: '198.51.100.9' };
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await ask(`${asked}-${ann.email}`, from)).status).toBe(202);
    }
    expect((await ask(ann.email, from)).status).toBe(429);
    expect((await ask(ann.email)).status).toBe(202);
  });

  test('says whether emails reach people', async () => {
    expect(dataOf(await ask(ann.email))).toEqual({ is_mailed: true });
    const on = new TestApi({ ...ctx, config: { ...ctx.config, smtpUrl: null } });
    expect(dataOf(await ask(ann.email, { on }))).toEqual({ is_mailed: false });
  });
});

test('links are tried 30 times a minute from one address, right ones too', async () => {
  const token = await askedToken();
  const from = { ip: '198.51.100.10' };
  for (let tried = 0; tried < 30; tried += 1) await check('nonsense', from);
  expect((await check(token, from)).status).toBe(429);
  expect((await check(token)).status).toBe(200);
});

test('a reset is audited in each of the person’s accounts, and they get an email', async () => {
  await openSession();
  const token = await askedToken();
  await finish(token);
  const entries = await audited('person.password_changed');
  expect(entries.map(({ accountId }) => accountId).toSorted()).toEqual(accountIds.toSorted());
  for (const entry of entries) {
    expect(entry).toMatchObject({ target: { id: ann.id }, changes: { ended_sessions: 1 } });
    expect(JSON.stringify(entry)).not.toContain(token);
  }
  expect(ctx.mails.at(-1)).toMatchObject({ to: ann.email, subject: 'Your password was changed' });
});

test('a person who changes their own password gets an email, too', async () => {
  const session = await openSession();
  const change = { current_password: password, new_password: chosen };
  await changePassword(session, change);
  expect(mailsOfPassword()).toMatchObject([
    { to: ann.email, subject: 'Your password was changed' },
  ]);
  expect(mailsOfPassword()[0]?.text).toContain('/forgot-password');
});

test('no email is sent if the password cannot be changed', async () => {
  const session = await openSession();
  const change = { current_password: 'not the password', new_password: chosen };
  expect((await changePassword(session, change)).status).toBe(422);
  expect(mailsOfPassword()).toEqual([]);
});

/** Without the emails about sign-ins. */
function mailsOfPassword() {
  return ctx.mails.filter(({ subject }) => subject.includes('password'));
}
