import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

/**
 * The order in which work begins. The key of each piece of work is the first letter of its name.
 */
async function orderOf(slots: Slots, names: readonly string[]): Promise<string[]> {
  const order: string[] = [];
  const run = (name: string) => slots.run(name.charAt(0), async () => void order.push(name));
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
  const slots = new Slots({ maxConcurrent: 2 });
  let running = 0;
  let maxRunning = 0;
  const order: number[] = [];
  const all = Array.from({ length: 9 }, (_, number) =>
    slots.run('a', async () => {
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
  const slots = new Slots({ maxConcurrent: 1 });
  const order = await orderOf(slots, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a key whose work hangs leaves slots for another', async () => {
  const slots = new Slots({ maxConcurrent: 3, maxPerKey: 2 });
  const hanging = hangingWork();
  const ofOne = Array.from({ length: 5 }, () => slots.run('a', hanging.work));
  expect(await orderOf(slots, ['b1', 'b2', 'c1'])).toEqual(['b1', 'b2', 'c1']);
  expect(hanging.begun()).toBe(2);
  hanging.release();
  await Promise.all(ofOne);
  expect(hanging.begun()).toBe(5);
});

test('if too much work waits for a key, more is refused, while work of another key may wait', async () => {
  const refuse = () => Promise.reject(new Error('full'));
  const slots = new Slots({ maxConcurrent: 1, maxQueuedPerKey: 1, refuse });
  const hanging = hangingWork();
  const admitted = ['a', 'a', 'b'].map((key) => slots.run(key, hanging.work));
  expect(slots.acquire('a')).toBeNull();
  await expect(slots.run('b', hanging.work)).rejects.toThrow('full');
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(3);
});

test('while little waits in all, more may wait for one key; others can still wait', async () => {
  const slots = new Slots({ maxConcurrent: 1, sharedQueue: 3, maxQueuedPerKey: 1 });
  const hanging = hangingWork();
  const admitted = ['a', 'a', 'a', 'a'].map((key) => slots.run(key, hanging.work));
  expect(slots.acquire('a')).toBeNull();
  admitted.push(slots.run('b', hanging.work));
  expect(slots.acquire('b')).toBeNull();
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(5);
  expect(slots.acquire('a')).not.toBeNull();
});

test('if too much work waits in all, more is refused, regardless of its key', async () => {
  const slots = new Slots({ maxConcurrent: 1, maxQueuedPerKey: 1, maxQueued: 2 });
  const hanging = hangingWork();
  const admitted = ['a', 'b', 'c'].map((key) => slots.run(key, hanging.work));
  expect(slots.acquire('d')).toBeNull();
  hanging.release();
  await Promise.all(admitted);
  expect(hanging.begun()).toBe(3);
});

test('work that fails releases its slot to the next', async () => {
  const slots = new Slots({ maxConcurrent: 1 });
  const fail = () => slots.run('a', () => Promise.reject(new Error('away')));
  const both = await Promise.allSettled([fail(), fail()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(slots.run('a', async () => 'found')).resolves.toBe('found');
});

test('a slot that is released twice is given away once', async () => {
  const slots = new Slots({ maxConcurrent: 1 });
  const release = await slots.acquire('a');
  const hanging = hangingWork();
  const waiting = [slots.run('a', hanging.work), slots.run('a', hanging.work)];
  release?.();
  release?.();
  await new Promise(setImmediate);
  expect(hanging.begun()).toBe(1);
  hanging.release();
  await Promise.all(waiting);
});

test('new work does not overtake work that waits', async () => {
  const slots = new Slots({ maxConcurrent: 1 });
  const release = await slots.acquire('a');
  const order: string[] = [];
  const first = slots.run('a', async () => void order.push('waited'));
  release?.();
  const second = slots.run('a', async () => void order.push('newcomer'));
  await Promise.all([first, second]);
  expect(order).toEqual(['waited', 'newcomer']);
});

test('work of an urgent key begins before all that waits for others, which cannot fill its queue', async () => {
  const slots = new Slots({
    maxConcurrent: 1,
    maxQueuedPerKey: (key) => (key === 'u' ? 2 : 1),
    isUrgent: (key) => key === 'u',
  });
  const order = orderOf(slots, ['a1', 'a2', 'b1', 'u1', 'u2']);
  expect([slots.acquire('b'), slots.acquire('u')]).toEqual([null, null]);
  expect(await order).toEqual(['a1', 'u1', 'u2', 'a2', 'b1']);
});

test('work that is aborted while it waits leaves the queue', async () => {
  const slots = new Slots({ maxConcurrent: 1, maxQueued: 1 });
  const release = await slots.acquire('a');
  const aborting = new AbortController();
  const aborted = slots.acquire('a', aborting.signal);
  expect(slots.acquire('a')).toBeNull();
  aborting.abort();
  expect(await aborted).toBeNull();
  const waiting = slots.acquire('a');
  release?.();
  expect(await waiting).not.toBeNull();
});

test('work that was aborted before it had to wait does not wait', async () => {
  const slots = new Slots({ maxConcurrent: 1 });
  const release = slots.acquire('a');
  expect(slots.acquire('a', AbortSignal.abort())).toBeNull();
  if (release === null || release instanceof Promise) throw new Error('the slot was free');
  release();
  expect(slots.used).toBe(0);
});

test('an abort after the work has begun does not release its slot', async () => {
  const slots = new Slots({ maxConcurrent: 1 });
  const release = await slots.acquire('a');
  const aborting = new AbortController();
  const waiting = slots.acquire('a', aborting.signal);
  release?.();
  await waiting;
  aborting.abort();
  expect([slots.used, slots.hasFree('a')]).toEqual([1, false]);
});
