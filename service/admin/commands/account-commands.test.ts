import { beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { dayMs } from '#lib/durations.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { members } from '../../db/schema/people/members.ts';
import { sessions } from '../../db/schema/people/sessions.ts';
import { readAdminCommand } from '../commands.ts';
import { signInWithPassword } from '../../testing/sign-in.ts';
import { passwordIn, runCommand } from '../../testing/admin-commands.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ contextFor: 'test' });
const run = async (...args: readonly string[]) => await runCommand(ctx, ...args);

const from = { ip: '203.0.113.7', userAgent: null };

test('create accounts, and give access again to a person who lost their password', async () => {
  const made = await run('create-account', 'Marlow & Finch', 'Ann@Example.com');
  expect(made.exitCode).toBe(0);
  const second = await run('create-account', 'Second', 'ann@example.com');
  expect(second).toEqual({
    exitCode: 0,
    text: expect.stringMatching(
      /^Created account "Second" \(ID [-0-9a-f]{36}\)\. Its owner is ann@example\.com\. They sign in with the password they have\.$/,
    ),
  });
  expect(await ctx.db.$count(members)).toBe(2);

  const email = 'ann@example.com';
  const old = { email, password: passwordIn(made.text), ...from };
  const session = await signInWithPassword(ctx.auth, old);
  expect(session).not.toBeNull();

  expect(await run('reset-access', 'no@example.com')).toEqual({
    exitCode: 1,
    text: 'No person has the email address no@example.com.',
  });
  const reset = await run('reset-access', ' ANN@example.com');
  expect(reset.exitCode).toBe(0);
  expect(reset.text).toContain('ended 1 session');
  expect(ctx.mails).toMatchObject([
    {
      to: email,
      subject: 'Your password was reset',
      text: expect.stringMatching(
        /^An administrator of localhost:\d+ replaced the password of ann@/,
      ),
    },
  ]);
  expect(JSON.stringify(ctx.mails)).not.toContain(passwordIn(reset.text));

  expect(await ctx.db.$count(sessions)).toBe(0);
  expect(await ctx.auth.session(session?.sessionToken ?? '')).toBeNull();
  expect(await signInWithPassword(ctx.auth, old)).toBeNull();
  const renewed = { ...old, password: passwordIn(reset.text) };
  expect(await signInWithPassword(ctx.auth, renewed)).not.toBeNull();
  const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
  expect(audit.map(({ action, actor }) => `${action} by ${actor.name}`)).toEqual([
    'account.created by Operator',
    'account.created by Operator',
    'person.access_reset by Operator',
    'person.access_reset by Operator',
  ]);
  expect(JSON.stringify(audit)).not.toContain(renewed.password);
});

test('list accounts with those being deleted, and the members of an account', async () => {
  expect(await run('list-accounts')).toEqual({
    exitCode: 0,
    text: 'There are no accounts yet. Create one: npm run admin -- create-account <name> <owner email>',
  });
  await run('create-account', 'Marlow & Finch', 'ann@example.com');
  ctx.clock.advance(1);
  await run('create-account', 'Second', 'bob@example.com');
  await run('add-member', 'Second', 'ann@example.com', 'owner');
  await run('add-member', 'Second', 'sam@example.com', 'support');

  const [marlow, second] = await ctx.db.select().from(accounts).orderBy(accounts.createdAt);
  const created = ctx.clock.now().toISOString().slice(0, 10);
  expect((await run('list-accounts')).text.split('\n')).toEqual([
    'ID                                    NAME            MEMBERS  CREATED     OWNERS',
    `${marlow?.id}  Marlow & Finch  1        ${created}  ann@example.com`,
    `${second?.id}  Second          3        ${created}  ann@example.com, bob@example.com`,
  ]);
  await ctx.db
    .update(accounts)
    .set({ deletedAt: ctx.clock.now() })
    .where(eq(accounts.name, 'Second'));
  const { text } = await run('list-accounts');
  expect(text).toMatch(/ {2}OWNERS +DELETED, CAN BE RESTORED UNTIL\n/);
  expect(text).toMatch(/ {2}ann@example\.com\n/);
  expect(text).toMatch(/ {2}ann@example\.com, bob@example\.com {2}27 Nov 2026, \d\d:\d\d UTC$/);
  // As the accounts of a removed provisioner from the beginning.
  ctx.clock.advance(7 * dayMs);
  expect((await run('list-accounts')).text).toMatch(/ {2}it cannot be restored$/);
  expect(await run('list-members', 'Second')).toEqual({
    exitCode: 0,
    text: [
      'EMAIL            ROLE     NAME',
      'ann@example.com  owner    ann',
      'bob@example.com  owner    bob',
      'sam@example.com  support  sam',
    ].join('\n'),
  });
});

describe('accounts of the same name', () => {
  let ids: string[];

  beforeEach(async () => {
    await run('create-account', 'Marlow', 'ann@example.com');
    ctx.clock.advance(1);
    await run('create-account', 'Marlow', 'bob@example.com');
    const rows = await ctx.db.select().from(accounts).orderBy(accounts.createdAt);
    ids = rows.map(({ id }) => id);
  });

  test.each([
    ['add-member', ['sam@example.com', 'admin']],
    ['list-members', []],
    ['remove-member', ['bob@example.com']],
    ['set-limits', ['5', '5']],
  ])(
    '%s changes none of them and lists what tells them apart, and says so if no account has the name',
    async (command, rest) => {
      const created = ctx.clock.now().toISOString().slice(0, 10);
      expect(await run(command, 'Marlow', ...rest)).toEqual({
        exitCode: 1,
        text: [
          '2 accounts have the name "Marlow". Use the ID of the one you mean:',
          '',
          'ID                                    NAME    MEMBERS  CREATED     OWNERS',
          `${ids[0]}  Marlow  1        ${created}  ann@example.com`,
          `${ids[1]}  Marlow  1        ${created}  bob@example.com`,
        ].join('\n'),
      });
      expect(await run(command, 'Finch', ...rest)).toEqual({
        exitCode: 1,
        text: 'There is no account with the name or ID "Finch". List the accounts: npm run admin -- list-accounts',
      });
      expect(await ctx.db.$count(members)).toBe(2);
    },
  );

  test('are named by their ids', async () => {
    expect(await run('add-member', ids[1] ?? '', 'ann@example.com', 'admin')).toEqual({
      exitCode: 0,
      text: 'Added ann@example.com to account "Marlow" as admin. They sign in with the password they have.',
    });
    const listed = await run('list-members', ids[1]?.toUpperCase() ?? '');
    expect(listed.text).toContain('ann@example.com  admin');
    expect(listed.text).toContain('bob@example.com  owner');
  });

  test('are announced when another one is created', async () => {
    const third = await run('create-account', 'Marlow', 'cleo@example.com');
    expect(third.text).toContain(
      '2 other accounts have this name, so use the ID to name it in commands.',
    );
  });
});

describe('the limits of one account', () => {
  const limits = async () =>
    await ctx.db.select({ keys: accounts.maxKeys, webhooks: accounts.maxWebhooks }).from(accounts);

  test('are set, reset to the settings, and recorded in the audit log', async () => {
    await run('create-account', 'Acme', 'ann@example.com');
    expect(await run('set-limits', 'Acme', '500', 'default')).toEqual({
      exitCode: 0,
      text: 'Account "Acme" can have 500 active API keys, and as many webhooks as MAX_WEBHOOKS allows.',
    });
    expect(await limits()).toEqual([{ keys: 500, webhooks: null }]);
    expect((await run('set-limits', 'Acme', '1', '1')).text).toBe(
      'Account "Acme" can have 1 active API key, and 1 webhook.',
    );
    const { text } = await run('set-limits', 'Acme', 'default', '20');
    expect(text).toBe(
      'Account "Acme" can have as many active API keys as MAX_KEYS allows, and 20 webhooks.',
    );
    expect(await limits()).toEqual([{ keys: null, webhooks: 20 }]);
    const entries = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(entries.at(-1)).toMatchObject({
      action: 'account.limits_changed',
      changes: { max_keys: null, max_webhooks: 20 },
    });
  });

  test.each([
    [['Acme', '500'], 'set-limits needs an account'],
    [['Acme', '0', 'default'], 'Invalid number of API keys "0". Use 1 to 2000, or default.'],
    [['Acme', '12', '1001'], 'Invalid number of webhooks "1001". Use 1 to 1000, or default.'],
    [['Acme', '1.5', '3'], 'Invalid number of API keys "1.5".'],
  ])('are refused if they make no sense: %j', (args, reason) => {
    const refused = readAdminCommand(['set-limits', ...args]);
    expect(refused).toMatchObject({ exitCode: 2, text: expect.stringContaining(reason) });
  });
});
