import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://us.example', host: 'us.example' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'https://us.example', host: 'us.example' }, true],
  [{ origin: 'http://localhost:3000', host: 'localhost:4000' }, false],
  [{ origin: 'null', host: 'us.example' }, false],
  [{ host: 'us.example' }, false],
])('a request with %j is our own page’s: %s', (headers, isOurs) => {
  expect(isSameOrigin(new Headers(headers))).toBe(isOurs);
});
