import { expect, test } from 'vitest';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people, setUpTokens } from '../../../db/schema/people/people.ts';
import { prepareFirstAccount } from './prepare-first-account.ts';
import { setUp } from './set-up.ts';
import { useContext } from '../../../testing/use-api.ts';

const origin = { ip: '203.0.113.7', userAgent: 'Firefox', requestId: 'r1' };
const password = 'correct horse battery';

// A database has only one first start, so each test has its own.
const ctx = useContext({ contextFor: 'test', engine: 'postgresql' });

async function input(email: string) {
  const { setUpToken } = await prepareFirstAccount(ctx);
  return {
    set_up_token: setUpToken ?? '',
    account_name: 'Marlow & Finch',
    name: 'Ann Marlow',
    email,
    password,
  };
}

/** A start with INIT_* variables of its own. */
function startUnattended(adminEmail: string) {
  const init = { adminEmail, adminPassword: password, accountName: null, apiKey: null };
  return prepareFirstAccount({ ...ctx, config: { ...ctx.config, init } });
}

async function expectOnePerson(): Promise<void> {
  expect(await ctx.db.$count(people)).toBe(1);
  expect(await ctx.db.$count(accounts)).toBe(1);
  expect(await ctx.db.$count(members)).toBe(1);
}

test('of many set-ups at the same time with one link, one succeeds', async () => {
  const ann = await input('ann@example.com');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, each) =>
      setUp(ctx, { input: { ...ann, email: `ann${each}@example.com` }, origin }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  }
  await expectOnePerson();
});

test('a set-up and unattended starts at the same time make one account', async () => {
  const ann = await input('ann@example.com');
  await Promise.allSettled([
    ...Array.from({ length: 6 }, (_, each) => startUnattended(`admin${each}@example.com`)),
    setUp(ctx, { input: ann, origin }),
  ]);
  await expectOnePerson();
});

test('two starts at the same time leave one set-up link, and the later one says that it replaces the other', async () => {
  const starts = await Promise.all([prepareFirstAccount(ctx), prepareFirstAccount(ctx)]);
  expect(starts.every(({ setUpToken }) => setUpToken !== null)).toBe(true);
  expect(await ctx.db.$count(setUpTokens)).toBe(1);
  const messages = starts.map(({ message }) => message).filter((message) => message !== null);
  expect(messages).toEqual([
    'An earlier set-up link, printed by this process or another one, is no longer valid.',
  ]);
});
