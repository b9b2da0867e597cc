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
  ['description', null, [['None']]],
  ['tags', [], [['None']]],
  ['allowed_cidrs', [], [['Any']]],
  ['expires_at', null, [['Never']]],
  ['rate_limit_per_minute', null, [['Default']]],
  ['responsible', null, [['Nobody']]],
  ['second_factor_required_from', null, [['Not required']]],
  ['scopes', ['a', 'b'], [['a'], ['b']]],
  ['mailed', true, [['Yes']]],
  ['hours', 12, [['12']]],
  ['secret', { was_shown: false, keys: 2 }, [['Was shown: ', 'No', ', keys: ', '2']]],
  ['filter', { '!': [{ var: 'type' }] }, [['{"!":[{"var":"type"}]}']]],
])('the field %s with the value %j is shown in lines', (field, value, expected) => {
  expect(linesOf(field, value)).toEqual(expected);
});

const time = '2026-11-24T11:00:00.000+00:00';

test.each(['expires_at', 'valid_until', 'failing_since', 'since', 'second_factor_required_from'])(
  'the field %s is shown as a time',
  (field) => {
    expect(linesOf(field, time)).toEqual([[{ time }]]);
  },
);

test('a time inside a list is shown as a time, and a name that looks like a time is not', () => {
  expect(linesOf('older_tokens', [{ last_four: 'a1b2', valid_until: time }])).toEqual([
    ['Last four: ', 'a1b2', ', valid until: ', { time }],
  ]);
  expect(linesOf('name', time)).toEqual([[time]]);
});
