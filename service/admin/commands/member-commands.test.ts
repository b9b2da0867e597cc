import { describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { accounts } from '../../db/schema/people/accounts.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { members } from '../../db/schema/people/members.ts';
import { people } from '../../db/schema/people/people.ts';
import { authenticatorApps, passkeys } from '../../db/schema/people/second-factors.ts';
import { sessions } from '../../db/schema/people/sessions.ts';
import { recordSearch } from '../../domain/support-desk/searches.ts';
import { addApp, addPasskey } from '../../testing/records/second-factors.ts';
import { signInWithPassword } from '../../testing/sign-in.ts';
import { passwordIn, runCommand } from '../../testing/admin-commands.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ contextFor: 'test' });
const run = async (...args: readonly string[]) => await runCommand(ctx, ...args);

const from = { ip: '203.0.113.7', userAgent: null };

test('give access again to a person who lost their second factor, with their existing password', async () => {
  const made = await run('create-account', 'Marlow & Finch', 'ann@example.com');
  const person = await ctx.db.query.people.findFirst();
  if (!person) throw new Error('there is nobody');
  const ann = { email: 'ann@example.com', password: passwordIn(made.text), ...from };
  await signInWithPassword(ctx.auth, ann);
  await addApp(ctx, { personId: person.id, email: person.email });
  await addPasskey(ctx, person.id);
  expect(await run('reset-factors', 'no@example.com')).toEqual({
    exitCode: 1,
    text: 'No person has the email address no@example.com.',
  });
  const reset = await run('reset-factors', ' Ann@example.com');
  expect(reset.exitCode).toBe(0);
  expect(reset.text).toContain(
    'Removed the second factors of ann@example.com and ended 1 session.',
  );
  const told = [{ to: 'ann@example.com', subject: 'Your second factors were removed' }];
  expect(ctx.mails).toMatchObject(told);
  expect(await ctx.db.$count(passkeys)).toBe(0);
  expect(await ctx.db.$count(authenticatorApps)).toBe(0);
  expect(await signInWithPassword(ctx.auth, ann)).not.toBeNull();
  expect((await run('reset-factors', 'ann@example.com')).text).toContain('had no second factor');
  expect(ctx.mails).toMatchObject(told);
});

test('make a new or known person a member, and change their role', async () => {
  const made = await run('create-account', 'Marlow & Finch', 'ann@example.com');
  const added = await run('add-member', ' Marlow & Finch', 'Sam@example.com', 'support');
  expect(added.exitCode).toBe(0);
  expect(added.text).toMatch(
    /^Added sam@example\.com to account "Marlow & Finch" as support\. They sign in with this password/,
  );
  const again = await run('add-member', 'Marlow & Finch', 'sam@example.com', 'support');
  expect(again).toEqual({
    exitCode: 0,
    text: 'sam@example.com already has the role support in account "Marlow & Finch". Nothing changed.',
  });
  const changed = await run('add-member', 'Marlow & Finch', 'sam@example.com', 'viewer');
  expect(changed).toEqual({
    exitCode: 0,
    text: 'Changed the role of sam@example.com in account "Marlow & Finch" from support to viewer.',
  });

  const sam = { email: 'sam@example.com', password: passwordIn(added.text), ...from };
  expect(await signInWithPassword(ctx.auth, sam)).not.toBeNull();
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
  const told = ctx.mails.filter(({ subject }) => subject === 'Your role is now Viewer');
  expect(told.map(({ to }) => to)).toEqual(['sam@example.com']);
  expect(told[0]?.text).toContain('Changed by: Operator');
  expect(JSON.stringify(audit)).not.toContain(sam.password);
  expect(await signInWithPassword(ctx.auth, { ...sam, email: 'ann@example.com' })).toBeNull();
  expect(passwordIn(made.text)).not.toBe(sam.password);
});

test('never remove the last owner of an account', async () => {
  await run('create-account', 'Marlow', 'ann@example.com');
  const refused = await run('add-member', 'Marlow', 'ann@example.com', 'viewer');
  expect(refused.exitCode).toBe(1);
  expect(refused.text).toContain('ann@example.com is the only owner of account "Marlow".');
  await run('add-member', 'Marlow', 'bob@example.com', 'owner');
  const changed = await run('add-member', 'Marlow', 'ann@example.com', 'viewer');
  expect(changed.exitCode).toBe(0);
});

describe('removing a member', () => {
  const sam = 'sam@example.com';

  test('ends their sessions in that account, and is recorded in its audit log', async () => {
    await run('create-account', 'Marlow', 'ann@example.com');
    await run('create-account', 'Second', 'bob@example.com');
    const added = await run('add-member', 'Marlow', sam, 'support');
    ctx.clock.advance(1);
    await run('add-member', 'Second', sam, 'viewer');
    const signIn = async () =>
      await signInWithPassword(ctx.auth, { email: sam, password: passwordIn(added.text), ...from });
    const inMarlow = await signIn();
    const inSecond = await signIn();
    await choose(inSecond?.sessionToken, 'Second');

    expect(await run('remove-member', 'Marlow', ' SAM@example.com')).toEqual({
      exitCode: 0,
      text: 'Removed sam@example.com from account "Marlow" and ended 1 session. API keys and webhooks that they created stay active.',
    });
    const removals = ctx.mails.filter(({ subject }) => subject.includes('You were removed from'));
    expect(removals).toMatchObject([{ to: sam }]);
    expect(removals[0]?.text).toContain('Removed by: Operator');
    expect(await ctx.auth.session(inMarlow?.sessionToken ?? '')).toBeNull();
    expect(await ctx.auth.session(inSecond?.sessionToken ?? '')).not.toBeNull();
    expect((await run('list-members', 'Marlow')).text).not.toContain(sam);

    expect(await run('remove-member', 'Second', sam)).toEqual({
      exitCode: 0,
      text: 'Removed sam@example.com from account "Second" and ended 1 session. They belong to no account now and cannot sign in. API keys and webhooks that they created stay active.',
    });
    expect(await ctx.db.$count(sessions)).toBe(0);
    const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(audit.slice(-2)).toMatchObject([
      {
        action: 'member.removed',
        actor: { name: 'Operator' },
        target: { name: 'sam' },
        changes: { email: sam, role: 'support', ended_sessions: 1 },
      },
      { action: 'member.removed', changes: { role: 'viewer', ended_sessions: 1 } },
    ]);
    expect(audit.at(-2)?.accountId).not.toBe(audit.at(-1)?.accountId);
  });

  test('keeps a session in an account that they joined earlier', async () => {
    await run('create-account', 'Marlow', 'ann@example.com');
    await run('create-account', 'Second', 'bob@example.com');
    const added = await run('add-member', 'Marlow', sam, 'support');
    ctx.clock.advance(1);
    await run('add-member', 'Second', sam, 'viewer');
    const session = await signInWithPassword(ctx.auth, {
      email: sam,
      password: passwordIn(added.text),
      ...from,
    });
    const removed = await run('remove-member', 'Second', sam);
    expect(removed.text).toContain('and ended 0 sessions.');
    expect(await ctx.auth.session(session?.sessionToken ?? '')).not.toBeNull();
  });

  test('is refused for the last owner, and for a person who is not a member', async () => {
    await run('create-account', 'Marlow', 'ann@example.com');
    await run('create-account', 'Second', 'bob@example.com');
    const entries = await ctx.db.$count(auditEntries);
    const lastOwner = await run('remove-member', 'Marlow', 'ann@example.com');
    expect(lastOwner.exitCode).toBe(1);
    expect(lastOwner.text).toContain('ann@example.com is the only owner of account "Marlow".');
    for (const email of ['bob@example.com', 'no@example.com']) {
      expect(await run('remove-member', 'Marlow', email)).toEqual({
        exitCode: 1,
        text: `${email} is not a member of account "Marlow". List its members: npm run admin -- list-members <account>`,
      });
    }
    expect(await ctx.db.$count(members)).toBe(2);
    expect(await ctx.db.$count(auditEntries)).toBe(entries);

    await run('add-member', 'Marlow', 'bob@example.com', 'owner');
    expect((await run('remove-member', 'Marlow', 'ann@example.com')).exitCode).toBe(0);
  });

  async function choose(sessionToken = '', name: string): Promise<void> {
    const session = await ctx.auth.session(sessionToken);
    const [account] = await ctx.db.select().from(accounts).where(eq(accounts.name, name));
    await ctx.db
      .update(sessions)
      .set({ chosenAccountId: account?.id ?? null })
      .where(eq(sessions.id, session?.sessionId ?? ''));
  }
});

test('give a person support access to every account, list such people, and end that access', async () => {
  expect((await run('list-support')).text).toContain('Nobody is installation support.');
  const added = await run('add-support', 'Priya@northdesk.example');
  expect(added.text).toContain('Added priya@northdesk.example to installation support');
  const email = 'priya@northdesk.example';
  const signIn = { email, password: passwordIn(added.text), ...from };
  expect(await signInWithPassword(ctx.auth, signIn)).not.toBeNull();
  expect(await run('add-support', email)).toEqual({
    exitCode: 0,
    text: `${email} is already installation support. Nothing changed.`,
  });
  await run('create-account', 'Northdesk', 'ann@example.com');
  expect((await run('add-support', 'ann@example.com')).text).toContain('the password they have.');

  const { text } = await run('list-support');
  expect(text.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^ann@example\.com +\S+ +2026-11-20 +never$/),
    expect.stringMatching(/^priya@northdesk\.example +\S+ +2026-11-20 +never$/),
  ]);
  expect((await run('remove-support', 'ann@example.com')).text).toContain('They stay a member');
  expect((await run('remove-support', email)).text).toContain(
    'Ended 1 session. They belong to no account and cannot sign in.',
  );
  expect(await run('remove-support', email)).toEqual({
    exitCode: 1,
    text: `${email} is not installation support. List who is: npm run admin -- list-support`,
  });
});

test('list searches at the support desk, of everyone or of one person', async () => {
  expect((await run('list-searches')).text).toBe('There were no searches at the support desk.');
  await run('create-account', 'Northdesk', 'ann@example.com');
  const [ann] = await ctx.db.select().from(people);
  const origin = { ip: '203.0.113.7', userAgent: null, requestId: 'one' };
  const found = { keys: 2, people: 1 };
  for (const [personId, search] of [
    [ann?.id ?? '', 'Halden'],
    ['other', null],
  ] as const) {
    const options = { search, found: search === null ? {} : found, now: ctx.clock.now() };
    const asker = {
      accountId: null,
      personId,
      personName: personId,
      email: '',
      provedAt: ctx.clock.now(),
    };
    await ctx.db.transaction((tx) => recordSearch(tx, { ...asker, origin }, options));
  }
  const linesOf = (text: string) => text.split('\n').slice(1);
  expect(linesOf((await run('list-searches')).text)).toEqual([
    expect.stringMatching(/^2026-11-20T\S+ +other +203\.0\.113\.7 +\(a token\) +nothing$/),
    expect.stringMatching(/ +203\.0\.113\.7 +"Halden" +2 keys, 1 person$/),
  ]);
  expect(linesOf((await run('list-searches', 'ann@example.com')).text)).toHaveLength(1);
  expect(await run('list-searches', 'no@example.com')).toEqual({
    exitCode: 1,
    text: 'No person has the email address no@example.com.',
  });
});
