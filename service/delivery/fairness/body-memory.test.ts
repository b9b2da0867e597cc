import { expect, test } from 'vitest';
import { BodyMemory } from './body-memory.ts';

const mebibyte = 1024 * 1024;
const usual = 128 * 1024;

test.each([
  ['a usual amount while there is room', {}, usual],
  ['less when its account has nearly all it may have', { a: 3 * mebibyte - 100_000 }, 50_000],
  ['nothing when its account has all it may have', { a: 3 * mebibyte }, 0],
  ['a usual amount, whatever another account has', { b: 3 * mebibyte }, usual],
  ['nothing when others have all there is', { b: 4 * mebibyte }, 0],
])('a lane that holds deliveries may take %s', (_what, used, room) => {
  const memory = new BodyMemory(4 * mebibyte);
  for (const [account, bytes] of Object.entries(used)) memory.add(account, bytes);
  expect(memory.roomFor('a', 1)).toBe(room);
  expect(memory.takeRefusal()).toBe(room === 0);
  expect(memory.takeRefusal()).toBe(false);
});

test('a lane that holds no deliveries may take one as long as there is any room', () => {
  const memory = new BodyMemory(4 * mebibyte);
  memory.add('a', 3 * mebibyte);
  expect(memory.roomFor('a', 0)).toBe(1);
  memory.add('b', mebibyte);
  expect(memory.roomFor('a', 0)).toBe(0);
});
