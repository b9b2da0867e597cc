import { expect, test } from 'vitest';
import { isKeyOf, keysOf } from './object-keys.ts';

const table = { first: 1, second: 2 };

test('the keys of a table have the order in which they are written', () => {
  expect(keysOf(table)).toEqual(['first', 'second']);
});

test('a text is a key of a table only if the table itself has it', () => {
  expect(isKeyOf(table, 'first')).toBe(true);
  expect(isKeyOf(table, 'third')).toBe(false);
  expect(isKeyOf(table, 'toString')).toBe(false);
});
