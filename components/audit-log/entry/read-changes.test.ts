import { expect, test } from 'vitest';

import { linesOf, readChanges } from './read-changes.ts';

test.each([
  [null, []],
  [{ name: { from: 'Bot', to: 'Greeter' } }, [{ field: 'name', before: 'Bot', after: 'Greeter' }]],
  [
    { before: { hours: 8, name: 'A' }, after: { hours: 12, name: 'A' } },
    [{ field: 'hours', before: 8, after: 12 }],
  ],
  [
    { email: 'a@b.c', role: 'admin', previous_role: 'viewer' },
    [
      { field: 'email', after: 'a@b.c' },
      { field: 'role', before: 'viewer', after: 'admin' },
    ],
  ],
  [{ previous_email: 'a@b.c' }, [{ field: 'previous_email', after: 'a@b.c' }]],
])('the changes %j are read by field', (changes, expected) => {
  expect(readChanges(changes)).toEqual(expected);
});

test.each([
  [null, ['None']],
  [[], ['None']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [true, ['Yes']],
  [12, ['12']],
  [{ a: 1 }, ['{"a":1}']],
])('the value %j is shown in lines', (value, expected) => {
  expect(linesOf(value)).toEqual(expected);
});
