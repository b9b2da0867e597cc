import { beforeAll, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { tokenAddresses, tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { TestApi } from '../../../testing/api.ts';
import { useContext } from '../../../testing/use-api.ts';
import { deleteOldCalls } from './delete-old-calls.ts';

const ctx = useContext();
let token: { accountId: string; tokenId: number };
beforeAll(async () => {
  const account = await new TestApi(ctx).account();
  await account.key();
  const [row] = await ctx.db.query.apiKeyTokens.findMany();
  if (!row) throw new Error('the key has no token');
  token = { accountId: row.accountId, tokenId: row.id };
});

/** Deletes old rows, and records how many are left at each pause. */
async function forget(count: () => Promise<number>): Promise<number[]> {
  const left: number[] = [];
  await deleteOldCalls(ctx, async () => {
    left.push(await count());
    return true;
  });
  left.push(await count());
  return left;
}

const hoursAgo = (hours: number) => new Date(ctx.clock.now().getTime() - hours * hourMs);

test('call counts of tokens are removed in batches of 500, with a rest after each', async () => {
  const hours = Array.from({ length: 1930 }, (_, hour) => hour);
  const counts = hours.map((hour) => ({ ...token, hour: hoursAgo(hour), calls: 1 }));
  await ctx.db.insert(tokenCalls).values(counts);
  const left = await forget(async () => (await ctx.db.query.tokenCalls.findMany()).length);
  // The removal of the last batch is followed by no rest.
  expect(left).toEqual([1430, 930, 721]);
});

test('the 500 addresses a token used last stay; the others are removed in batches', async () => {
  const numbers = Array.from({ length: 1600 }, (_, number) => number);
  const addresses = numbers.map((number) => ({
    ...token,
    address: `2001:db8::${number.toString(16)}`,
    // The last 50 have not been used for a month.
    lastUsedAt: number < 1550 ? hoursAgo(number / 100) : hoursAgo(24 * 31),
  }));
  await ctx.db.insert(tokenAddresses).values(addresses);
  const stored = async () => await ctx.db.query.tokenAddresses.findMany();
  const left = await forget(async () => (await stored()).length);
  expect(left).toEqual([1050, 550, 500]);
  const latest = addresses.slice(0, 500).map(({ address }) => address);
  expect(new Set((await stored()).map(({ address }) => address))).toEqual(new Set(latest));
});
