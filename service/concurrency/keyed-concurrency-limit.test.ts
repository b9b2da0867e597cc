import { expect, test } from 'vitest';
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts';

/**
 * The order in which work begins. The key of each piece of work is the first letter of its name.
 */
async function orderOf(limit: KeyedConcurrencyLimit, names: readonly string[]): Promise<string[]> {
  const order: string[] = [];
  const run = (name: string) => limit.run(name.charAt(0), async () => void order.push(name));
  await Promise.all(names.map(run));
  return order;
}

/** Work that stays in progress until `release` is called; `begun` counts it. */
function hangingWork() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const work = async () => {
    begun += 1;
    await promise;
  };
  return { work, release, begun: () => begun };
}

test('no more work than the limit is in progress at a time, and the rest begins in order', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 2 });
  let running = 0;
  let maxRunning = 0;
  const order: number[] = [];
  const all = Array.from({ length: 9 }, (_, number) =>
    limit.run('a', async () => {
      order.push(number);
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise(setImmediate);
      running -= 1;
    }),
  );
  await Promise.all(all);
  expect(maxRunning).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('keys with waiting work take turns', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1 });
  const order = await orderOf(limit, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a key whose work hangs leaves room for another', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 3, maxPerKey: 2 });
  const hanging = hangingWork();
  const ofOne = Array.from({ length: 5 }, () => limit.run('a', hanging.work));
  expect(await orderOf(limit, ['b1', 'b2', 'c1'])).toEqual(['b1', 'b2', 'c1']);
  expect(hanging.begun()).toBe(2);
  hanging.release();
  await Promise.all(ofOne);
  expect(hanging.begun()).toBe(5);
});

test('if too much work waits for a key, more is refused, while work of another key may wait', async () => {
  const refuse = () => Promise.reject(new Error('full'));
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1, maxQueuedPerKey: 1, refuse });
  const hanging = hangingWork();
  const admitted = ['a', 'a', 'b'].map((key) => limit.run(key, hanging.work));
  expect(limit.acquire('a')).toBeNull();
  await expect(limit.run('b', hanging.work)).rejects.toThrow('full');
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(3);
});

test('while little waits in all, a key may use more than its own places; others still have theirs', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1, sharedQueue: 3, maxQueuedPerKey: 1 });
  const hanging = hangingWork();
  const admitted = ['a', 'a', 'a', 'a'].map((key) => limit.run(key, hanging.work));
  expect(limit.acquire('a')).toBeNull();
  admitted.push(limit.run('b', hanging.work));
  expect(limit.acquire('b')).toBeNull();
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(5);
  expect(limit.acquire('a')).not.toBeNull();
});

test('if too much work waits in all, more is refused, whatever its key', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1, maxQueuedPerKey: 1, maxQueued: 2 });
  const hanging = hangingWork();
  const admitted = ['a', 'b', 'c'].map((key) => limit.run(key, hanging.work));
  expect(limit.acquire('d')).toBeNull();
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(3);
});

test('work that fails makes room for the next', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1 });
  const fail = () => limit.run('a', () => Promise.reject(new Error('away')));
  const both = await Promise.allSettled([fail(), fail()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(limit.run('a', async () => 'found')).resolves.toBe('found');
});

test('a slot that is released twice is given away once', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1 });
  const release = await limit.acquire('a');
  const hanging = hangingWork();
  const waiting = [limit.run('a', hanging.work), limit.run('a', hanging.work)];
  release?.();
  release?.();
  await new Promise(setImmediate);
  expect(hanging.begun()).toBe(1);
  hanging.release();
  await Promise.all(waiting);
});

test('new work does not overtake work that waits', async () => {
  const limit = new KeyedConcurrencyLimit({ maxConcurrent: 1 });
  const release = await limit.acquire('a');
  const order: string[] = [];
  const first = limit.run('a', async () => void order.push('waited'));
  release?.();
  const second = limit.run('a', async () => void order.push('newcomer'));
  await Promise.all([first, second]);
  expect(order).toEqual(['waited', 'newcomer']);
});
