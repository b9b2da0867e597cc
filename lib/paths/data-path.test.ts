import { expect, test } from 'vitest';
import { dataPath, readRouteSearch } from './data-path.ts';

const input = { params: { webhook: 'a/b&c=d' }, query: { q: 'a & b', limit: 20, cursor: null } };

test('an address has a route and its input, each value under its part', () => {
  expect(dataPath('7', 'listDeliveries', input)).toBe(
    '/a/7/data/listDeliveries?params.webhook=a%2Fb%26c%3Dd&query.q=a+%26+b&query.limit=20',
  );
  expect(dataPath(null, 'getSupportDesk', {})).toBe('/support/data/getSupportDesk');
});

test('the input is read as it was written, as texts', () => {
  const { searchParams } = new URL(dataPath('7', 'x', input), 'http://localhost');
  expect(readRouteSearch(searchParams)).toEqual({
    params: { webhook: 'a/b&c=d' },
    query: { q: 'a & b', limit: '20' },
  });
});
