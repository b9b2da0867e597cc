import { describe, expect, test, vi } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { mintAccountId } from '../../account-id.ts';
import { KeyCache } from './key-cache.ts';
import type { TokenRecord } from '../store/tokens.ts';

const digest = Buffer.from('digest of a token');
const account = mintAccountId('3f0c7a52-6f3a-4a57-9d0e-1f2a3b4c5d6e');
const otherAccount = mintAccountId('7b1d2c84-6f3a-4a57-9d0e-1f2a3b4c5d6e');

describe('the key cache', () => {
  type Parts = ReturnType<typeof setUp>;

  test.each<[what: string, between: (parts: Parts) => unknown, loads: number]>([
    ['once while an entry is fresh', ({ clock }) => (clock.time += 4999), 1],
    ['again when the entry is older than its time to live', ({ clock }) => (clock.time += 5001), 2],
    ['again when the clock has gone back', ({ clock }) => (clock.time -= hourMs), 2],
    ['again after everything was cleared', ({ cache }) => cache.clear(), 2],
  ])('asks the store %s', async (_what, between, loads) => {
    const parts = setUp();
    await parts.cache.find(digest, parts.load);
    between(parts);
    await parts.cache.find(digest, parts.load);
    await parts.cache.find(digest, parts.load);
    expect(parts.load).toHaveBeenCalledTimes(loads);
  });

  test('does not live longer for being used', async () => {
    const { cache, load, clock } = setUp();
    for (let use = 0; use < 7; use += 1) {
      await cache.find(digest, load);
      clock.time += 1000;
    }
    expect(load).toHaveBeenCalledTimes(2);
  });

  test.each<[of: string, evict: (cache: KeyCache) => void]>([
    ['a key', (cache) => cache.evict(1)],
    ['an account', (cache) => cache.evictAccount(account)],
  ])('evicts all tokens of %s, and no others', async (_, evict) => {
    const { cache, load } = setUp();
    const other = vi.fn(async () => record(2, otherAccount));
    const findAll = async () => {
      await cache.find(digest, load);
      await cache.find(Buffer.from('second token'), load);
      await cache.find(Buffer.from('of another account'), other);
    };
    await findAll();
    evict(cache);
    await findAll();
    expect(load).toHaveBeenCalledTimes(4);
    expect(other).toHaveBeenCalledTimes(1);
  });

  test.each<[of: string, evict: (cache: KeyCache) => void]>([
    ['its key', (cache) => cache.evict(1)],
    ['its account', (cache) => cache.evictAccount(account)],
  ])('does not keep a record that was read before %s was evicted', async (_, evict) => {
    const { cache, load } = setUp();
    let deliver: (found: TokenRecord) => void = () => {};
    const reading = cache.find(digest, () => new Promise((resolve) => (deliver = resolve)));
    evict(cache);
    deliver(record(1));
    await reading;
    await cache.find(digest, load);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('asks the store once for concurrent calls', async () => {
    const { cache, load } = setUp();
    const found = await Promise.all([cache.find(digest, load), cache.find(digest, load)]);
    expect(found).toEqual([record(1), record(1)]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('asks again for a call after an eviction, while an earlier look-up is in progress', async () => {
    const { cache, load } = setUp();
    const before = cache.find(digest, load);
    cache.evict(1);
    await Promise.all([before, cache.find(digest, load)]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('asks again after the store failed', async () => {
    const { cache, load } = setUp();
    await expect(cache.find(digest, () => Promise.reject(new Error('away')))).rejects.toThrow(
      'away',
    );
    await cache.find(digest, load);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('tells the loader whether a token was known before, until the store no longer has it, which is not remembered', async () => {
    const { cache, load, clock } = setUp();
    const gone = vi.fn(async () => null);
    for (const asked of [load, load, gone]) {
      await cache.find(digest, asked);
      clock.time += 5001;
    }
    await cache.find(digest, gone);
    await cache.find(digest, gone);
    expect(load.mock.calls).toEqual([[false], [true]]);
    expect(gone.mock.calls).toEqual([[true], [false], [false]]);
  });
});

function setUp() {
  const clock = { time: 0, now: () => new Date(clock.time) };
  return { clock, cache: new KeyCache({ ttlMs: 5000, clock }), load: vi.fn(async () => record(1)) };
}

/** The part of a record that the cache reads. */
function record(keyId: number, accountId = account): TokenRecord {
  return { key: { id: keyId, accountId }, token: {} } as unknown as TokenRecord;
}
