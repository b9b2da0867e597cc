import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { readAdminCommand } from '../../../admin/commands.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { emailChanges, people } from '../../../db/schema/people/people.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { forgetExpiredLinks } from '../../../domain/people/forget-expired-links.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';
import { listInvitations } from '../../../domain/people/invitations/list-invitations.ts';
import { addMemberAsOperator } from '../../../domain/people/members/operator/add-member-as-operator.ts';
import { resetAccess } from '../../../domain/people/passwords/reset-access.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { chainOlderEntries } from '../../../domain/audit/chain/chain-older-entries.ts';
import { withAuditChain } from '../../../domain/audit/chain/with-audit-chain.ts';
import { logStatements } from '../../../testing/databases/log-statements.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';

const password = 'correct horse battery';
const chosen = 'a staple that nobody knows';

type Person = { id: string; email: string; session: string };

let ctx: TestContext;
/** Two services, one with a mail server and one without. */
let api: TestApi;
let mailless: TestApi;
let passwordHash: string;
let accountIds: AccountId[];
let ann: Person;

beforeAll(async () => {
  ctx = await createTestContext({ config: { smtpUrl: 'smtp://mail.example.com' } });
  api = new TestApi(ctx);
  mailless = new TestApi({ ...ctx, config: { ...ctx.config, smtpUrl: null } });
  passwordHash = await ctx.auth.hashPassword(password);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  ctx.forgetRecords();
  accountIds = [await addAccount(ctx), await addAccount(ctx, 'Elsewhere')];
  ann = await addSignedIn();
});

async function addSignedIn(): Promise<Person> {
  const { id, email } = await addPerson(ctx, { passwordHash });
  for (const accountId of accountIds) {
    await addMember(ctx, { accountId, personId: id, role: 'viewer' });
  }
  return { id, email, session: await openSession(email) };
}

async function openSession(email: string, given = password): Promise<string> {
  return String(dataOf(await signIn(email, given))['session_token']);
}

let addresses = 0;

async function call(
  session: string | null,
  [method, path, body]: [method: string, path: string, body?: unknown],
  on = api,
): Promise<ApiResponse> {
  addresses += 1;
  return await on.call(method, `/api/dashboard/${path}`, {
    token: ctx.dashboardCredential,
    headers: {
      'X-Dashboard-Client': `10.3.${addresses >> 8}.${addresses & 255} Firefox`,
      ...(session !== null && { 'X-Dashboard-Session': session }),
    },
    ...(body !== undefined && { body }),
  });
}

const newAddress = () => `${crypto.randomUUID()}@example.com`;
const signIn = (email: string, given = password) =>
  call(null, ['POST', 'session', { email, password: given }]);
const ask = (email: string, { session } = ann, on = api) =>
  call(session, ['POST', 'email-change', { email }], on);
const cancel = ({ session } = ann) => call(session, ['DELETE', 'email-change']);
const checkConfirmation = (token: string) =>
  call(null, ['POST', 'email-change/confirmation/check', { confirm_token: token }]);
const confirm = (token: string) =>
  call(null, ['POST', 'email-change/confirmation', { confirm_token: token }]);
const checkRevocation = (token: string) =>
  call(null, ['POST', 'email-change/revocation/check', { revoke_token: token }]);
const revoke = (token: string) =>
  call(null, ['POST', 'email-change/revocation', { revoke_token: token }]);
const choosePassword = (token: unknown) =>
  call(null, ['POST', 'password-reset/finish', { reset_token: token, new_password: chosen }]);

async function shown({ session } = ann) {
  return dataOf(await call(session, ['GET', 'email-change']));
}

/** Without the emails about sign-ins. */
const mailsTo = (address: string) =>
  ctx.mails.filter(({ to, subject }) => to === address && !subject.startsWith('New sign-in'));

/** The token of the newest link to a page that was emailed to an address. */
function mailedToken(address: string, page: 'confirm-email' | 'revoke-email-change'): string {
  const link = new RegExp(`/${page}#([\\w-]{43})`);
  const tokens = mailsTo(address).flatMap(({ text }) => link.exec(text)?.[1] ?? []);
  return tokens.at(-1) ?? '';
}

/** Asks for a change; gives the tokens of both links. */
async function asked(email = newAddress(), by = ann) {
  expect((await ask(email, by)).status).toBe(201);
  return {
    email,
    confirmToken: mailedToken(email, 'confirm-email'),
    revokeToken: mailedToken(by.email, 'revoke-email-change'),
  };
}

/** The same of a change that was confirmed. */
async function changed(email = newAddress()) {
  const links = await asked(email);
  expect(dataOf(await confirm(links.confirmToken))).toEqual({ email });
  return links;
}

async function emailOf(personId: string): Promise<string | undefined> {
  const [row] = await ctx.db.select().from(people).where(eq(people.id, personId));
  return row?.email;
}

async function audited(action: string) {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, action),
        eq(auditEntries.actor, { kind: 'person', id: ann.id, name: 'Ann' }),
      ),
    );
}

const spentConfirmation = {
  confirm_token: ['This link is no longer valid. Ask for the change again on your profile page.'],
};
const spentRevocation = {
  revoke_token: [
    'This link is no longer valid. If somebody else uses your sign-in, ask whoever runs this service for help.',
  ],
};

describe('a change of one’s email', () => {
  test('is done once the new address confirms it, and the session continues', async () => {
    const { email, confirmToken } = await asked();
    expect(await emailOf(ann.id)).toBe(ann.email);
    expect(await shown()).toEqual({
      pending: { email, expires_at: expect.any(String), is_mailed: true },
      fixed_until: null,
    });
    expect(dataOf(await checkConfirmation(confirmToken))).toMatchObject({ email, name: 'Ann' });
    expect((await confirm(confirmToken)).status).toBe(200);
    expect(await emailOf(ann.id)).toBe(email);
    expect(await shown()).toEqual({ pending: null, fixed_until: expect.any(String) });
    expect((await signIn(ann.email)).status).toBe(422);
    expect((await signIn(email)).status).toBe(201);
  });

  test('puts its links in emails only: no response, table, log or audit entry contains one', async () => {
    const response = await ask('elsewhere@example.org');
    const tokens = [
      mailedToken('elsewhere@example.org', 'confirm-email'),
      mailedToken(ann.email, 'revoke-email-change'),
    ];
    const kept = [
      response.text,
      JSON.stringify(ctx.logged),
      JSON.stringify(await ctx.db.select().from(emailChanges)),
      JSON.stringify(await ctx.db.select().from(auditEntries)),
    ].join('\n');
    for (const token of tokens) {
      expect(token).toHaveLength(43);
      expect(kept).not.toContain(token);
    }
  });

  test('is confirmed once, even by two concurrent calls', async () => {
    const { confirmToken } = await asked();
    const responses = await Promise.all([confirm(confirmToken), confirm(confirmToken)]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(detailsOf(await checkConfirmation(confirmToken))).toEqual(spentConfirmation);
  });

  test('can be confirmed for 24 hours, to the millisecond', async () => {
    const { confirmToken } = await asked();
    ctx.clock.advance(dayMs - 1);
    expect((await checkConfirmation(confirmToken)).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await checkConfirmation(confirmToken))).toEqual(spentConfirmation);
    expect(detailsOf(await confirm(confirmToken))).toEqual(spentConfirmation);
    expect(await emailOf(ann.id)).toBe(ann.email);
  });

  test('replaces a pending one, and can be cancelled by the person who asked', async () => {
    const first = await asked();
    const second = await asked();
    expect(detailsOf(await confirm(first.confirmToken))).toEqual(spentConfirmation);
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(204);
    expect(detailsOf(await confirm(second.confirmToken))).toEqual(spentConfirmation);
    expect(await shown()).toMatchObject({ pending: null });
  });

  test.each([
    ['the person changes their password', changePassword],
    ['an operator resets their access', () => resetAccess(ctx, ann.email)],
  ])('that waits is cancelled when %s', async (_when, replace) => {
    const { confirmToken } = await asked();
    await replace();
    expect(detailsOf(await confirm(confirmToken))).toEqual(spentConfirmation);
  });

  test('to the present address, or within 7 days of another change, is refused', async () => {
    expect(detailsOf(await ask(ann.email.toUpperCase()))).toEqual({
      email: ['This is your email address already.'],
    });
    await changed();
    expect(detailsOf(await ask(newAddress())).email?.[0]).toMatch(
      /^You changed your email address recently\. Until .* UTC, your previous address can undo this/,
    );
    ctx.clock.advance(7 * dayMs);
    ann = { ...ann, session: await openSession((await emailOf(ann.id)) ?? '') };
    expect((await ask(newAddress())).status).toBe(201);
  });

  test('can be requested 5 times an hour', async () => {
    for (let times = 0; times < 5; times += 1) expect((await ask(newAddress())).status).toBe(201);
    expect((await ask(newAddress())).status).toBe(429);
    ctx.clock.advance(hourMs);
    ann = { ...ann, session: await openSession(ann.email) };
    expect((await ask(newAddress())).status).toBe(201);
  });

  test('is emailed to the previous address, and audited in each of the person’s accounts', async () => {
    const { email, revokeToken } = await changed();
    expect(mailsTo(ann.email).map(({ subject }) => subject)).toEqual([
      'Your email address is about to change',
      'Your email address was changed',
    ]);
    await revoke(revokeToken);
    for (const [action, changes] of [
      ['person.email_change_requested', { email: ann.email, new_email: email }],
      ['person.email_changed', { email, previous_email: ann.email }],
      ['person.email_change_revoked', { email: ann.email, previous_email: email }],
    ] as const) {
      const entries = await audited(action);
      expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set(accountIds));
      for (const entry of entries) expect(entry.changes).toMatchObject(changes);
    }
  });

  test('leaves invitations to the previous address as they are', async () => {
    const owner = await (await api.account()).member('owner');
    await createInvitation(ctx, owner, { email: ann.email, role: 'viewer' });
    await changed();
    expect(await listInvitations(ctx, owner)).toMatchObject([{ email: ann.email }]);
  });
});

describe('an address that somebody has', () => {
  test('is not revealed to the person who asks for it: same response, same statements, and no link', async () => {
    const bob = await addSignedIn();
    // So that no audit entry is the first one of its account.
    await chainOlderEntries(ctx);
    const statements: string[] = [];
    const db = withAuditChain(logStatements(ctx.database, statements), ctx.auditKeys);
    const logged = new TestApi({ ...ctx, db });
    const free = newAddress();
    const ofFree = await ask(free, ann, logged);
    const forFree = statements.splice(0);
    const ofTaken = await ask(bob.email, ann, logged);
    expect(ofTaken.status).toBe(ofFree.status);
    expect(ofTaken.text.replaceAll(bob.email, '')).toBe(ofFree.text.replaceAll(free, ''));
    expect(statements).toEqual(forFree);
    expect(await shown()).toMatchObject({ pending: { email: bob.email } });
    expect(mailsTo(bob.email)).toMatchObject([{ subject: 'Your email address stays yours' }]);
    expect(mailedToken(bob.email, 'confirm-email')).toBe('');
  });

  test('goes to the first of two people who confirm it, even at the same moment', async () => {
    const email = newAddress();
    const bob = await addSignedIn();
    const first = await asked(email);
    const second = await asked(email, bob);
    const responses = await Promise.all([
      confirm(first.confirmToken),
      confirm(second.confirmToken),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const refused = responses.find(({ status }) => status === 422);
    expect(refused && detailsOf(refused)).toEqual({
      confirm_token: ['This address belongs to another person by now.'],
    });
  });

  test('until recently is reserved: nobody else gets it while they can undo the change', async () => {
    const { revokeToken } = await changed();
    const eve = await addSignedIn();
    await ask(ann.email, eve);
    expect(mailedToken(ann.email, 'confirm-email')).toBe('');
    const added = addMemberAsOperator(ctx, {
      account: accountIds[0] ?? '',
      email: ann.email,
      role: 'viewer',
    });
    await expect(added).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const command = readAdminCommand(['create-account', 'Another', ann.email]);
    expect(typeof command === 'function' && (await command(ctx))).toEqual({
      exitCode: 1,
      text: `${ann.email} belongs to another person, or did until recently. Use another address, or try again in a week.`,
    });
    const support = readAdminCommand(['add-support', ann.email]);
    expect(typeof support === 'function' && (await support(ctx))).toMatchObject({ exitCode: 1 });
    expect((await revoke(revokeToken)).status).toBe(200);
    expect(await emailOf(ann.id)).toBe(ann.email);
  });

  test('that was reserved but given to another person stays theirs, and undoing the change is refused', async () => {
    const { email, revokeToken } = await changed();
    await addPerson(ctx, { email: ann.email });
    expect(detailsOf(await revoke(revokeToken))).toEqual({
      revoke_token: [
        `${ann.email} belongs to another person now, so the change cannot be undone. Ask whoever runs this service for help.`,
      ],
    });
    expect(await emailOf(ann.id)).toBe(email);
  });

  test('without an emailed link is theirs for good once an operator gives them a place', async () => {
    const email = newAddress();
    await ask(email, ann, mailless);
    await confirm(mailedToken(email, 'confirm-email'));
    const token = mailedToken(ann.email, 'revoke-email-change');
    const command = readAdminCommand(['create-account', 'Another', email]);
    expect(typeof command === 'function' && (await command(ctx))).toMatchObject({ exitCode: 0 });
    expect(detailsOf(await revoke(token))).toEqual(spentRevocation);
    expect(await emailOf(ann.id)).toBe(email);
  });
});

describe('the previous address undoes the change', () => {
  test('once it is done: it is the email again, sessions end, and a new password must be chosen', async () => {
    const { email, revokeToken } = await changed();
    const thief = await openSession(email);
    expect(dataOf(await checkRevocation(revokeToken))).toMatchObject({
      email: ann.email,
      new_email: email,
      is_changed: true,
    });
    const response = await revoke(revokeToken);
    expect(dataOf(response)).toMatchObject({ email: ann.email });
    expect(await emailOf(ann.id)).toBe(ann.email);
    for (const session of [ann.session, thief]) {
      expect((await call(session, ['GET', 'session'])).status).toBe(401);
    }
    for (const address of [email, ann.email]) {
      expect((await signIn(address)).status).toBe(422);
    }
    expect((await choosePassword(dataOf(response)['reset_token'])).status).toBe(200);
    expect((await signIn(ann.email, chosen)).status).toBe(201);
    expect((await signIn(email, chosen)).status).toBe(422);
  });

  test('before it is confirmed: it is cancelled, and the rest is the same', async () => {
    const { confirmToken, revokeToken } = await asked();
    expect(dataOf(await checkRevocation(revokeToken))).toMatchObject({ is_changed: false });
    expect((await revoke(revokeToken)).status).toBe(200);
    expect(detailsOf(await confirm(confirmToken))).toEqual(spentConfirmation);
    expect((await call(ann.session, ['GET', 'session'])).status).toBe(401);
    expect((await signIn(ann.email)).status).toBe(422);
  });

  test('whatever a thief with the session and the password did meanwhile', async () => {
    const first = await asked();
    await cancel();
    const second = await asked();
    await confirm(second.confirmToken);
    // They change the password, ask for yet another address, and for a link to reset the password.
    await changePassword();
    expect((await ask(newAddress())).status).toBe(422);
    await call(null, ['POST', 'password-reset', { email: second.email }]);
    const reset = /reset-password#([\w-]{43})/.exec(mailsTo(second.email).at(-1)?.text ?? '')?.[1];

    ctx.clock.advance(6 * dayMs);
    expect((await revoke(first.revokeToken)).status).toBe(200);
    expect(await emailOf(ann.id)).toBe(ann.email);
    expect((await choosePassword(reset)).status).toBe(422);
    expect((await signIn(second.email, chosen)).status).toBe(422);
    expect((await signIn(ann.email, chosen)).status).toBe(422);
  });

  test('for 7 days after the change, however late it was confirmed, to the millisecond', async () => {
    const { confirmToken, revokeToken } = await asked();
    ctx.clock.advance(dayMs - 1);
    await confirm(confirmToken);
    ctx.clock.advance(7 * dayMs - 1);
    await forgetExpiredLinks(ctx);
    expect((await checkRevocation(revokeToken)).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await checkRevocation(revokeToken))).toEqual(spentRevocation);
    expect(detailsOf(await revoke(revokeToken))).toEqual(spentRevocation);
    await forgetExpiredLinks(ctx);
    expect(await ctx.db.$count(emailChanges, eq(emailChanges.personId, ann.id))).toBe(0);
  });

  test('once, even by two concurrent calls', async () => {
    const { revokeToken } = await changed();
    const responses = await Promise.all([revoke(revokeToken), revoke(revokeToken)]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
  });

  test('while it is being confirmed: in either order, it is the email in the end', async () => {
    const { confirmToken, revokeToken } = await asked();
    await Promise.all([confirm(confirmToken), revoke(revokeToken)]);
    expect(await emailOf(ann.id)).toBe(ann.email);
    expect((await signIn(ann.email)).status).toBe(422);
  });

  test('not for an earlier change whose 7 days are over', async () => {
    const first = await changed();
    ctx.clock.advance(7 * dayMs);
    ann = { ...ann, email: first.email, session: await openSession(first.email) };
    const second = await changed();
    expect(detailsOf(await revoke(first.revokeToken))).toEqual(spentRevocation);
    expect(await emailOf(ann.id)).toBe(second.email);
  });
});

test('somebody whose new address was confirmed by a link that was not emailed is unverified', async () => {
  const email = newAddress();
  expect(dataOf(await ask(email, ann, mailless))).toMatchObject({ pending: { is_mailed: false } });
  await confirm(mailedToken(email, 'confirm-email'));
  const [person] = await ctx.db.select().from(people).where(eq(people.id, ann.id));
  expect(person).toMatchObject({ email, isUnverified: true });
});

test('a person’s own name is changed everywhere, and audited in each account once', async () => {
  const rename = (name: string) => call(ann.session, ['PATCH', 'person', { name }]);
  expect(dataOf(await rename('  Ann Fox '))).toEqual({ name: 'Ann Fox' });
  expect((await rename('Ann Fox')).status).toBe(200);
  expect(dataOf(await call(ann.session, ['GET', 'session']))).toMatchObject({
    person: { name: 'Ann Fox' },
  });
  expect(detailsOf(await rename('Ann\u202eFox'))).toHaveProperty('name');
  expect(detailsOf(await rename(' '))).toHaveProperty('name');
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, 'person.renamed'),
        eq(auditEntries.actor, { kind: 'person', id: ann.id, name: 'Ann Fox' }),
      ),
    );
  expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set(accountIds));
  expect(entries).toHaveLength(2);
  expect(entries[0]?.changes).toEqual({ name: 'Ann Fox', previous_name: 'Ann' });
});

async function changePassword(): Promise<void> {
  const body = { current_password: password, new_password: chosen };
  const response = await call(ann.session, ['POST', 'password', body]);
  ann = { ...ann, session: String(dataOf(response)['session_token']) };
}
