import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { auditEntries, members, sessions } from '../db/schema.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { readAdminCommand } from './commands.ts';
import type { AdminOutcome } from './commands.ts';

let ctx: TestContext;

beforeEach(async () => {
  ctx = await createTestContext();
});
afterEach(() => ctx.dispose());

async function run(...args: string[]): Promise<AdminOutcome> {
  const command = readAdminCommand(args);
  if (typeof command !== 'function') throw new Error(command.text);
  return await command(ctx);
}

function passwordIn(text: string): string {
  const password = /^ {2}(\S+)$/m.exec(text)?.[1];
  if (!password) throw new Error(`no password in: ${text}`);
  return password;
}

const from = { ip: '203.0.113.7', userAgent: null };

test('make accounts, and let a person who lost their password in again', async () => {
  const made = await run('create-account', 'Marlow & Finch', 'Ann@Example.com');
  expect(made.exitCode).toBe(0);
  const second = await run('create-account', 'Second', 'ann@example.com');
  expect(second.exitCode).toBe(0);
  expect(second.text).not.toContain('password');
  expect(await ctx.db.$count(members)).toBe(2);

  const email = 'ann@example.com';
  const old = { email, password: passwordIn(made.text), ...from };
  const session = await ctx.auth.signIn(old);
  expect(session).not.toBeNull();

  expect(await run('reset-access', 'no@example.com')).toEqual({
    exitCode: 1,
    text: 'Nobody has the e-mail address no@example.com.',
  });
  const reset = await run('reset-access', ' ANN@example.com');
  expect(reset.exitCode).toBe(0);
  expect(reset.text).toContain('1 session ended');

  expect(await ctx.db.$count(sessions)).toBe(0);
  expect(await ctx.auth.session(session?.sessionToken ?? '')).toBeNull();
  expect(await ctx.auth.signIn(old)).toBeNull();
  const renewed = { ...old, password: passwordIn(reset.text) };
  expect(await ctx.auth.signIn(renewed)).not.toBeNull();
  const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
  expect(audit.map(({ action, actor }) => `${action} by ${actor.name}`)).toEqual([
    'account.created by Operator',
    'account.created by Operator',
    'person.access_reset by Operator',
    'person.access_reset by Operator',
  ]);
  expect(JSON.stringify(audit)).not.toContain(renewed.password);
});

test('make a person a member, new or known, and change their role', async () => {
  const made = await run('create-account', 'Marlow & Finch', 'ann@example.com');
  const added = await run('add-member', ' Marlow & Finch', 'Sam@example.com', 'support');
  expect(added.exitCode).toBe(0);
  expect(added.text).toMatch(
    /^sam@example.com is now support of the account "Marlow & Finch" and signs in with this password/,
  );
  const again = await run('add-member', 'Marlow & Finch', 'sam@example.com', 'support');
  expect(again).toEqual({
    exitCode: 0,
    text: 'sam@example.com is support of the account "Marlow & Finch" already.',
  });
  const changed = await run('add-member', 'Marlow & Finch', 'sam@example.com', 'viewer');
  expect(changed).toEqual({
    exitCode: 0,
    text: 'sam@example.com is now viewer of the account "Marlow & Finch", and was support before.',
  });

  const sam = { email: 'sam@example.com', password: passwordIn(added.text), ...from };
  expect(await ctx.auth.signIn(sam)).not.toBeNull();
  expect((await ctx.db.select().from(members)).map(({ role }) => role).toSorted()).toEqual([
    'owner',
    'viewer',
  ]);
  const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
  expect(audit.map(({ action, actor, target }) => [action, actor.name, target.name])).toEqual([
    ['account.created', 'Operator', 'Marlow & Finch'],
    ['member.added', 'Operator', 'sam'],
    ['member.role_changed', 'Operator', 'sam'],
  ]);
  expect(audit.at(-1)?.changes).toMatchObject({ role: 'viewer', previous_role: 'support' });
  expect(JSON.stringify(audit)).not.toContain(sam.password);
  expect(await ctx.auth.signIn({ ...sam, email: 'ann@example.com' })).toBeNull();
  expect(passwordIn(made.text)).not.toBe(sam.password);
});

test('leave an account its last owner', async () => {
  await run('create-account', 'Marlow', 'ann@example.com');
  const refused = await run('add-member', 'Marlow', 'ann@example.com', 'viewer');
  expect(refused.exitCode).toBe(1);
  expect(refused.text).toContain('ann@example.com is the last owner');
  await run('add-member', 'Marlow', 'bob@example.com', 'owner');
  const changed = await run('add-member', 'Marlow', 'ann@example.com', 'viewer');
  expect(changed.exitCode).toBe(0);
});

test('ask for an id where several accounts have the name, and take it', async () => {
  expect(await run('add-member', 'Marlow', 'sam@example.com', 'viewer')).toEqual({
    exitCode: 1,
    text: 'There is no account "Marlow".',
  });
  await run('create-account', 'Marlow', 'ann@example.com');
  ctx.clock.advance(1);
  await run('create-account', 'Marlow', 'bob@example.com');
  const unclear = await run('add-member', 'Marlow', 'ann@example.com', 'admin');
  expect(unclear.exitCode).toBe(1);
  const ids = [...unclear.text.matchAll(/^ {2}(\S+)$/gm)].map(([, id = '']) => id);
  expect(ids).toHaveLength(2);
  const added = await run('add-member', ids[1] ?? '', 'ann@example.com', 'admin');
  expect(added).toEqual({
    exitCode: 0,
    text: 'ann@example.com is now admin of the account "Marlow" and signs in as before.',
  });
  const roles = await ctx.db
    .select()
    .from(members)
    .where(eq(members.accountId, ids[1] ?? ''));
  expect(roles.map(({ role }) => role).toSorted()).toEqual(['admin', 'owner']);
});
