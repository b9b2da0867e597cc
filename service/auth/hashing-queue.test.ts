import { expect, test } from 'vitest';
import { HashingQueue } from './hashing-queue.ts';

const known = { isKnownDevice: true };
const unknown = { isKnownDevice: false };

test('password hashes run two at a time, those from known devices first, and are refused immediately if too many wait; guesses cannot fill the queue of known devices', async () => {
  const queue = new HashingQueue({ knownDevices: 1, unknownDevices: 2 });
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  const started: string[] = [];
  const ask = (name: string, device: { isKnownDevice: boolean }) =>
    queue.run(device, async () => {
      started.push(name);
      await end;
      return name;
    });
  const guesses = ['a', 'b', 'c', 'd'].map((name) => ask(name, unknown));
  const refusal = { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 2 };
  await expect(ask('e', unknown)).rejects.toMatchObject(refusal);
  const owner = ask('owner', known);
  await expect(ask('other owner', known)).rejects.toMatchObject(refusal);
  expect(started).toEqual(['a', 'b']);
  release();
  expect(await Promise.all([...guesses, owner])).toEqual(['a', 'b', 'c', 'd', 'owner']);
  expect(started).toEqual(['a', 'b', 'owner', 'c', 'd']);
});
