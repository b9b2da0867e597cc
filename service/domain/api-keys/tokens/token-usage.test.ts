import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import type { Db } from '../../../db/open.ts';
import { apiKeyTokens, tokenAddresses } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { statusOf } from '../../../testing/api-keys/tokens.ts';
import { TestApi } from '../../../testing/api.ts';
import { FakeClock } from '../../../testing/clock.ts';
import { FailingDatabase } from '../../../testing/databases/failing-database.ts';
import { logStatements } from '../../../testing/databases/log-statements.ts';
import { findTokenByDigest, replaceUnusedTokenRow } from '../store/tokens.ts';
import type { TokenRecord } from '../store/tokens.ts';
import { useApi } from '../../../testing/use-api.ts';
import { TokenUsage } from './token-usage.ts';
import { digestToken } from '../../../tokens/token.ts';

const { ctx, account } = useApi({ config: { rateLimitPerMinute: 100_000 } });

test.each([
  ['one after the other', 1],
  ['fifty at a time', 50],
])('200 calls of one key, %s, cause one write immediately and one later', async (_, atATime) => {
  const { token } = await account.key();
  const { db, writes } = countWrites();
  const usage = usageOf(db);
  const api = new TestApi({ ...ctx, db, usage });
  for (let made = 0; made < 200; made += atATime) {
    ctx.clock.advance(1);
    const calls = Array.from({ length: atATime }, () => statusOf(api, token));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  }
  expect(writes()).toBe(1);
  await usage.stop();
  expect(writes()).toBe(2);
  expect(await stored(token)).toMatchObject({ lastUsedAt: ctx.clock.now() });
  await usage.stop();
  expect(writes()).toBe(2);
});

test('calls of ten keys are written in one statement, and in one for each token with hundreds of addresses', async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => account.key()));
  const { db, writes } = countWrites();
  const usage = usageOf(db);
  const records = await Promise.all(keys.map(({ token }) => record(token)));
  const useAll = async (times: number, from: (host: number) => string) => {
    for (let host = 0; host < times; host += 1) {
      for (const each of records) await usage.record(each, { ...caller, ip: from(host) });
    }
  };
  await useAll(1, () => caller.ip);
  expect(writes()).toBe(10);
  await useAll(100, () => caller.ip);
  await usage.flush();
  expect(writes()).toBe(11);
  await useAll(500, (host) => `2001:db8::${host.toString(16)}`);
  await usage.flush();
  expect(writes()).toBe(21);
  for (const each of records) expect(await seen(each)).toHaveLength(501);
});

test('a first use is stored before the call continues, and concurrent calls wait for it too', async () => {
  const { token } = await account.key();
  const first = await record(token);
  const usage = usageOf(ctx.db);
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      await usage.record(first, caller);
      expect((await stored(token)).firstUsedAt).toEqual(ctx.clock.now());
    }),
  );
});

test('the first use of a token after it was replaced is stored before the call continues, and later ones in batches', async () => {
  const { token } = await account.key();
  const { db, writes } = countWrites();
  const usage = usageOf(db);
  await usage.record(await record(token), caller);
  const before = await record(token);
  await usage.record(before, caller);
  await ctx.db
    .update(apiKeyTokens)
    .set({ validUntil: new Date(ctx.clock.now().getTime() + hourMs) })
    .where(eq(apiKeyTokens.id, before.token.id));
  ctx.clock.advance(1000);

  const replaced = await record(token);
  const replacedUsedAt = ctx.clock.now();
  await usage.record(replaced, caller);
  expect((await stored(token)).lastUsedAt).toEqual(replacedUsedAt);
  expect(writes()).toBe(2);
  expect(usage.withLatestUse(before.token).lastUsedAt).toEqual(replacedUsedAt);
  ctx.clock.advance(1000);
  await usage.record(replaced, caller);
  expect(writes()).toBe(2);
});

test('a use of a token that is replaced in its row does not count for the new token', async () => {
  const key = await account.key();
  const lost = await record(key.token);
  const usage = usageOf(ctx.db);
  const digest = digestToken('in its place');
  const replacedUnusedAt = ctx.clock.now();
  const shown = { lastFour: 'lace', shownTo: null, unconfirmedSince: null };
  const fresh = await ctx.db.transaction(
    async (tx) =>
      await replaceUnusedTokenRow(tx, lost.token, { digest, replacedUnusedAt, ...shown }),
  );
  if (!fresh) throw new Error('the token was used');
  await usage.record(lost, caller);
  await usage.record(lost, caller);
  await usage.flush();
  expect(await storedAs(digest)).toMatchObject({ firstUsedAt: null, lastUsedAt: null });

  await usage.record({ ...lost, token: fresh }, caller);
  expect(await storedAs(digest)).toMatchObject({ firstUsedAt: ctx.clock.now() });
});

test('a first use that could not be written is written by the next call', async () => {
  const { token } = await account.key();
  const first = await record(token);
  const failing = new FailingDatabase(ctx.db);
  const usage = usageOf(failing.db);
  failing.fails = () => 'refused';
  await expect(usage.record(first, caller)).rejects.toThrow('The connection broke');
  failing.fails = () => null;
  await usage.record(first, caller);
  expect((await stored(token)).firstUsedAt).toEqual(ctx.clock.now());
});

test('later uses are written every ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { token } = await account.key();
  const usage = usageOf(ctx.db);
  usage.start();
  await usage.record(await record(token), caller);
  const firstUsedAt = ctx.clock.now();
  ctx.clock.advance(5000);
  await usage.record(await record(token), { ip: '203.0.113.9', userAgent: 'later' });

  vi.advanceTimersByTime(9999);
  expect((await stored(token)).lastUsedAt).toEqual(firstUsedAt);
  vi.advanceTimersByTime(1);
  await expect
    .poll(() => stored(token))
    .toMatchObject({
      firstUsedAt,
      lastUsedAt: ctx.clock.now(),
      lastUsedIp: '203.0.113.9',
      lastUsedAgent: 'later',
    });
  await usage.stop();
  vi.useRealTimers();
});

test('a stop waits for the batch that is being written', async () => {
  const { token } = await account.key();
  const slow = new FailingDatabase(ctx.db);
  const usage = usageOf(slow.db);
  await usage.record(await record(token), caller);
  ctx.clock.advance(1000);
  await usage.record(await record(token), caller);
  const { reached, letThrough } = slow.holdBackOnce(/./);
  void usage.flush();
  const stopping = usage.stop();
  const first = await Promise.race([stopping.then(() => 'stopped'), reached]);
  expect(first).not.toBe('stopped');
  letThrough();
  await stopping;
  expect((await stored(token)).lastUsedAt).toEqual(ctx.clock.now());
});

test('a later use that another process stored is not overwritten by an earlier one', async () => {
  const { token } = await account.key();
  const fresh = await record(token);
  const [earlier, later] = [new FakeClock(), new FakeClock()];
  later.advance(60_000);
  const slow = usageOf(ctx.db, earlier);
  const quick = usageOf(ctx.db, later);

  await slow.record(fresh, { ip: '203.0.113.1', userAgent: 'slow' });
  await slow.record(fresh, { ip: '203.0.113.1', userAgent: 'slow' });
  const firstUsedAt = earlier.now();
  await quick.record(fresh, { ip: '203.0.113.2', userAgent: 'quick' });
  await quick.flush();
  earlier.advance(61_000);
  await slow.flush();
  expect(await stored(token)).toMatchObject({
    firstUsedAt,
    lastUsedAt: later.now(),
    lastUsedIp: '203.0.113.2',
    lastUsedAgent: 'quick',
  });
});

test('a use after the clock was set back counts as the latest, in memory and in the database', async () => {
  const { token } = await account.key();
  const clock = new FakeClock();
  const usage = usageOf(ctx.db, clock);
  const fresh = await record(token);
  await usage.record(fresh, caller);
  clock.advance(1000);
  await usage.record(fresh, caller);
  clock.advance(-hourMs);
  await usage.record(fresh, { ip: '203.0.113.9', userAgent: 'after' });
  await usage.flush();
  expect(await stored(token)).toMatchObject({
    lastUsedAt: clock.now(),
    lastUsedIp: '203.0.113.9',
    lastUsedAgent: 'after',
  });
});

test('a failed batch keeps its uses for the next one, except for tokens that were used again since', async () => {
  const [one, other] = [await account.key(), await account.key()];
  const [oneRecord, otherRecord] = [await record(one.token), await record(other.token)];
  const failing = new FailingDatabase(ctx.db);
  const usage = usageOf(failing.db);
  for (const each of [oneRecord, otherRecord, oneRecord, otherRecord]) {
    ctx.clock.advance(1000);
    await usage.record(each, caller);
  }
  const otherUsedAt = ctx.clock.now();

  failing.fails = () => 'refused';
  ctx.expectErrors(/last uses of tokens not written yet/);
  const flushing = usage.flush();
  ctx.clock.advance(1000);
  await usage.record(oneRecord, caller);
  await flushing;
  failing.fails = () => null;
  await usage.flush();
  expect((await stored(one.token)).lastUsedAt).toEqual(ctx.clock.now());
  expect((await stored(other.token)).lastUsedAt).toEqual(otherUsedAt);
});

describe('the addresses of a token', () => {
  test('are the last 500, also of batches that failed', async () => {
    const fresh = await record((await account.key()).token);
    const failing = new FailingDatabase(ctx.db);
    const usage = usageOf(failing.db);
    const from = (host: number) => ({ ...caller, ip: `2001:db8::${host.toString(16)}` });
    await usage.record(fresh, from(1));
    for (let host = 2; host <= 401; host += 1) await usage.record(fresh, from(host));
    failing.fails = () => 'refused';
    ctx.expectErrors(/last uses of tokens not written yet/);
    const flushing = usage.flush();
    for (let host = 402; host <= 1101; host += 1) await usage.record(fresh, from(host));
    await flushing;
    failing.fails = () => null;
    await usage.flush();
    const latest = Array.from({ length: 500 }, (_, index) => from(602 + index).ip);
    expect(await seen(fresh)).toEqual([from(1).ip, ...latest].toSorted());
  });

  test('are in one spelling, without what is not an address', async () => {
    const fresh = await record((await account.key()).token);
    const usage = usageOf(ctx.db);
    for (const ip of ['2001:DB8::0:7', '2001:db8::7', '::ffff:203.0.113.9', 'unknown']) {
      await usage.record(fresh, { ...caller, ip });
    }
    await usage.flush();
    expect(await seen(fresh)).toEqual(['2001:db8::7', '203.0.113.9']);
  });
});

const caller = { ip: '203.0.113.7', userAgent: 'test' };

async function seen({ token }: TokenRecord): Promise<string[]> {
  const ofToken = eq(tokenAddresses.tokenId, token.id);
  const rows = await ctx.db.select().from(tokenAddresses).where(ofToken);
  return rows.map(({ address }) => address).toSorted();
}

function usageOf(db: Db, clock = ctx.clock): TokenUsage {
  return new TokenUsage({ db, clock, log: ctx.log });
}

/** The look-up of a token that is not in the cache. */
async function record(token: string): Promise<TokenRecord> {
  const found = await findTokenByDigest(ctx.db, digestToken(token));
  if (!found) throw new Error('no such token');
  return found;
}

async function stored(token: string): Promise<TokenRecord['token']> {
  return await storedAs(digestToken(token));
}

async function storedAs(digest: Buffer): Promise<TokenRecord['token']> {
  const [row] = await ctx.db.select().from(apiKeyTokens).where(eq(apiKeyTokens.digest, digest));
  if (!row) throw new Error('no such token');
  return row;
}

/** The database, which counts the statements that write. */
function countWrites(): { db: Db; writes: () => number } {
  const statements: string[] = [];
  const db = logStatements(ctx.database, statements);
  return { db, writes: () => statements.filter((text) => !text.startsWith('select')).length };
}
