import { describe, expect, test } from 'vitest';
import { HashingQueue } from './hashing-queue.ts';

const known = { isKnownDevice: true };
const unknown = { isKnownDevice: false };

/** A queue whose hashes end when `endOne` is called, with what happened to each. */
function openQueue(lengths?: { knownDevices: number; unknownDevices: number }) {
  const queue = new HashingQueue(lengths);
  const running: { end: () => void }[] = [];
  const started: string[] = [];
  let maxConcurrent = 0;

  function ask(name: string, device: { isKnownDevice: boolean }): Promise<string> {
    return queue.run(device, async () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      running.push({ end: () => resolve(name) });
      maxConcurrent = Math.max(maxConcurrent, running.length);
      return await promise;
    });
  }

  /** Ends the hash that has been running longest, so that the next one begins. */
  async function endOne(): Promise<void> {
    running.shift()?.end();
    await new Promise(setImmediate);
  }

  return { ask, endOne, started, maxConcurrent: () => maxConcurrent };
}

describe('password hashes', () => {
  test('run two at a time, and the others in the order in which they came', async () => {
    const { ask, endOne, started, maxConcurrent } = openQueue();
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, unknown)));
    expect(started).toEqual(['a', 'b']);
    for (let ended = 0; ended < 5; ended += 1) await endOne();
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(maxConcurrent()).toBe(2);
  });

  test('from known devices run before all that wait from unknown devices', async () => {
    const { ask, endOne, started } = openQueue();
    const guesses = ['a', 'b', 'c', 'd'].map((name) => ask(name, unknown));
    const owner = ask('owner', known);
    await endOne();
    expect(started).toEqual(['a', 'b', 'owner']);
    for (let ended = 0; ended < 4; ended += 1) await endOne();
    expect(await owner).toBe('owner');
    await Promise.all(guesses);
  });

  test('are refused at once if too many wait; guesses cannot fill the queue of known devices', async () => {
    const { ask, endOne, started } = openQueue({ knownDevices: 1, unknownDevices: 2 });
    const guesses = ['a', 'b', 'c', 'd'].map((name) => ask(name, unknown));
    const refusal = { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 2 };
    await expect(ask('e', unknown)).rejects.toMatchObject(refusal);
    const owner = ask('owner', known);
    await expect(ask('other owner', known)).rejects.toMatchObject(refusal);
    for (let ended = 0; ended < 5; ended += 1) await endOne();
    await Promise.all([...guesses, owner]);
    expect(started).toEqual(['a', 'b', 'owner', 'c', 'd']);
  });
});
