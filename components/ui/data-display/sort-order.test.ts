import { expect, test } from 'vitest';
import { compareInOrder, nextSortOrder, sortDirection, sortOrdersOf } from './sort-order.ts';

test('a header sorts in its own direction first, then reverses', () => {
  expect(nextSortOrder('name', 'failures', true)).toBe('-failures');
  expect(nextSortOrder('-failures', 'failures', true)).toBe('failures');
  expect(nextSortOrder('failures', 'failures', true)).toBe('-failures');
  expect(nextSortOrder('-failures', 'name', false)).toBe('name');
  expect(nextSortOrder('name', 'name', false)).toBe('-name');
});

test('only the column that the table is sorted by has a direction', () => {
  expect(sortDirection('-failures', 'failures')).toBe('descending');
  expect(sortDirection('failures', 'failures')).toBe('ascending');
  expect(sortDirection<'name' | 'failures'>('-failures', 'name')).toBeUndefined();
});

test('every column can be sorted both ways', () => {
  expect(sortOrdersOf(['name', 'status'])).toEqual(['name', '-name', 'status', '-status']);
});

test('rows that are the same in the column stay in the order of their names, both ways', () => {
  type Row = { id: number; name: string; failures: number };
  const rows: Row[] = [
    { id: 1, name: 'Order 10', failures: 0 },
    { id: 2, name: 'order 9', failures: 0 },
    { id: 3, name: 'Archive', failures: 2 },
    { id: 4, name: 'Archive', failures: 2 },
  ];
  const values = { failures: (row: Row) => row.failures };
  const ids = (order: 'failures' | '-failures') =>
    rows.toSorted(compareInOrder(order, values)).map(({ id }) => id);
  expect(ids('failures')).toEqual([2, 1, 3, 4]);
  expect(ids('-failures')).toEqual([3, 4, 2, 1]);
});

test('rows without a value come last, both ways', () => {
  type Row = { id: number; name: string; used: number | null };
  const rows: Row[] = [
    { id: 1, name: 'B', used: null },
    { id: 2, name: 'A', used: null },
    { id: 3, name: 'C', used: 5 },
    { id: 4, name: 'D', used: 7 },
  ];
  const ids = (order: 'used' | '-used') =>
    rows.toSorted(compareInOrder(order, { used: (row: Row) => row.used })).map(({ id }) => id);
  expect(ids('used')).toEqual([3, 4, 2, 1]);
  expect(ids('-used')).toEqual([4, 3, 2, 1]);
});
