import { expect, test } from 'vitest';
import { listNames } from './list-names.ts';

const names = ['Ann', 'Ben', 'Cora', 'Dan', 'Eve'];

test.each([
  [0, 2, ''],
  [1, 2, 'Ann'],
  [2, 2, 'Ann and Ben'],
  [3, 2, 'Ann, Ben and Cora'],
  [4, 2, 'Ann, Ben and 2 others'],
  [4, 3, 'Ann, Ben, Cora and Dan'],
  [5, 3, 'Ann, Ben, Cora and 2 others'],
])('of %i names, at most %i are listed before the others are counted', (count, most, text) => {
  expect(listNames(names.slice(0, count), { most })).toBe(text);
});
