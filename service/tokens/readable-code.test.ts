import { expect, test } from 'vitest';
import { newReadableCode } from './readable-code.ts';

test('a readable code has groups of four characters, without l, o, 0 and 1', () => {
  expect(newReadableCode(1)).toMatch(/^[a-km-np-z2-9]{4}$/);
  expect(newReadableCode(7)).toMatch(/^(?:[a-km-np-z2-9]{4}-){6}[a-km-np-z2-9]{4}$/);
});

test('a readable code uses all 32 characters of its alphabet', () => {
  const characters = new Set(newReadableCode(1000).replaceAll('-', ''));
  expect(characters.size).toBe(32);
});
