import { expect, test } from 'vitest';
import { isSameText } from './is-same-text.ts';

test.each([
  ['two spaces', 'Orders  EU', 'Orders EU'],
  ['a no-break space', 'Orders\u00A0EU', 'Orders EU'],
  ['a space at the end', 'Orders EU', ' Orders EU '],
  ['an accent that is a character of its own', 'Caf\u00E9', 'Cafe\u0301'],
])('a name with %s can be typed as it looks', (_, name, typed) => {
  expect(isSameText(typed, name)).toBe(true);
});

test.each(['OrdersEU', 'orders eu', 'Orders EU 2', ''])('“%s” is not the name', (typed) => {
  expect(isSameText(typed, 'Orders EU')).toBe(false);
});
