import { expect, test } from 'vitest';
import { toQueryString } from './query-string.ts';

test('a query string has each parameter that has a value, and encodes it', () => {
  const params = { q: 'a & b=c', status: null, type: undefined, page: 0, all: false, text: '' };
  expect(toQueryString(params)).toBe('q=a+%26+b%3Dc&page=0&all=false&text=');
});

test('a query string without parameters is empty', () => {
  expect(toQueryString({})).toBe('');
  expect(toQueryString({ cursor: null })).toBe('');
});
