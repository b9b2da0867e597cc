import { expect, test } from 'vitest';
import { people } from '../../db/schema/people/people.ts';
import { recordSearch } from '../../domain/support-desk/searches.ts';
import { signInWithPassword } from '../../testing/sign-in.ts';
import { passwordIn, runCommand } from '../../testing/admin-commands.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ contextFor: 'test' });
const run = async (...args: readonly string[]) => await runCommand(ctx, ...args);

const from = { ip: '203.0.113.7', userAgent: null };

test('give a person support access to every account, list such people, and end that access', async () => {
  expect((await run('list-support')).text).toContain('Nobody is installation support.');
  const added = await run('add-support', 'Priya@northdesk.example');
  expect(added.text).toContain('Added priya@northdesk.example to installation support');
  const email = 'priya@northdesk.example';
  const signIn = { email, password: passwordIn(added.text), ...from };
  expect(await signInWithPassword(ctx.auth, signIn)).not.toBeNull();
  expect(await run('add-support', email)).toEqual({
    exitCode: 0,
    text: `${email} is installation support already. Nothing changed.`,
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

test('list searches at the support desk, of everybody or of one person', async () => {
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
