import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import type { TestAccount } from '../../testing/api.ts';
import { failingFirst } from '../../testing/databases/failing-transactions.ts';
import { useApi } from '../../testing/use-api.ts';
import { mailUnusedKeys } from './mail-unused-keys.ts';

const { ctx, api } = useApi();
let account: TestAccount;
let key: Awaited<ReturnType<TestAccount['key']>>;
let addresses: string[];

beforeEach(async () => {
  // Keys that the suite created earlier have been unused for too long to be announced.
  ctx.clock.advance(200 * dayMs);
  account = await api.account();
  addresses = [await account.member('owner'), await account.member('admin')].map(
    ({ email }) => email,
  );
  await account.member('support');
  key = await account.key({ name: 'Old importer' });
});

async function useNow(): Promise<void> {
  const lastUsedAt = ctx.clock.now();
  await ctx.db.update(apiKeyTokens).set({ lastUsedAt }).where(eq(apiKeyTokens.apiKeyId, key.id));
}

/** The subjects and recipients of the emails that the next round sends. */
async function told(roundCtx = ctx): Promise<string[]> {
  const before = ctx.mails.length;
  await mailUnusedKeys(roundCtx);
  return ctx.mails.slice(before).map(({ subject, to }) => `${subject} → ${to}`);
}

const expected = () =>
  addresses.map((to) => `The API key "Old importer" has not been used for 90 days → ${to}`);

test('owners and admins are told once that a key has not been used for 90 days', async () => {
  await useNow();
  ctx.clock.advance(90 * dayMs - 1);
  expect(await told()).toEqual([]);
  ctx.clock.advance(1);
  expect((await told()).toSorted()).toEqual(expected().toSorted());
  expect(ctx.mails.at(-1)?.text).toContain(`/a/${account.id}/settings/api-keys/${key.id}`);
  expect(await told()).toEqual([]);
  ctx.clock.advance(dayMs);
  expect(await told()).toEqual([]);
});

test('a key that was never used counts from its creation', async () => {
  ctx.clock.advance(90 * dayMs);
  expect(await told()).toHaveLength(2);
  expect(ctx.mails.at(-1)?.text).toContain('Created, never used');
});

test('a key that is used and then unused again for 90 days is announced again', async () => {
  ctx.clock.advance(90 * dayMs);
  expect(await told()).toHaveLength(2);
  await useNow();
  ctx.clock.advance(90 * dayMs);
  expect(await told()).toHaveLength(2);
});

test('a missed email is sent within a week, and not after that', async () => {
  ctx.clock.advance(97 * dayMs);
  expect(await told()).toHaveLength(2);
  const other = await account.key();
  ctx.clock.advance(97 * dayMs + 1);
  expect(await told()).toEqual([]);
  expect(other.id).toBeGreaterThan(key.id);
});

test('if an email cannot be sent, those about other keys are, and it follows later', async () => {
  await account.key();
  ctx.clock.advance(90 * dayMs);
  ctx.expectErrors(/^the email about an unused API key could not be sent yet$/);
  expect(await told({ ...ctx, db: failingFirst(ctx.db, 1) })).toHaveLength(2);
  expect(await told()).toHaveLength(2);
});

test.each([
  ['revoked', () => ({ revokedAt: ctx.clock.now() })],
  ['expired', () => ({ expiresAt: ctx.clock.now() })],
])('no email is sent about a key that is %s', async (_what, ending) => {
  ctx.clock.advance(90 * dayMs);
  await ctx.db.update(apiKeys).set(ending()).where(eq(apiKeys.id, key.id));
  expect(await told()).toEqual([]);
});
