import { expect, test } from 'vitest';
import { countOf } from './count.ts';

test.each([
  [countOf(0, 'key'), '0 keys'],
  [countOf(1, 'key'), '1 key'],
  [countOf(1200, 'key'), '1,200 keys'],
  [countOf(1, 'entry', 'entries'), '1 entry'],
  [countOf(2, 'entry', 'entries'), '2 entries'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
