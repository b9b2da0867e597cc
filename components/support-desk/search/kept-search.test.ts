import { expect, test } from 'vitest';
import { mayBeKept } from './kept-search.ts';

const token = `sk_live_${'a1B2'.repeat(9)}Xy`;

test.each([
  'Production web',
  '…a1b2',
  'sk_live_…a1b2',
  'a1b2',
  'sara@example.com',
  'https://example.com/hooks',
  '791002fb-655c-447c-aa98-f5b921cf66cd',
  '104812',
])('a search for %j is kept for Back', (search) => {
  expect(mayBeKept(search)).toBe(true);
});

test.each([
  token,
  token.slice(0, 14),
  token.slice(8),
  token.slice(10, 20),
  `the token ${token.slice(-8)}`,
  'whsec_MfKQ9r8G',
])('a search for %j, which may contain a part of a token or secret, is not kept', (search) => {
  expect(mayBeKept(search)).toBe(false);
});
