import { expect, test } from 'vitest';
import { hasLittleMemory } from './has-little-memory.ts';

const mebibyte = 1024 ** 2;

test('a container or a machine with less than 1.5 GiB has little memory', () => {
  expect(hasLittleMemory([512 * mebibyte, 24_000 * mebibyte])).toBe(true);
  expect(hasLittleMemory([2 ** 64, 1024 * mebibyte])).toBe(true);
});

test('a process whose limit is unknown, absent or large enough does not have little memory', () => {
  expect(hasLittleMemory([0, 24_000 * mebibyte])).toBe(false);
  expect(hasLittleMemory([2 ** 64, 24_000 * mebibyte])).toBe(false);
  expect(hasLittleMemory([1536 * mebibyte, 24_000 * mebibyte])).toBe(false);
});
