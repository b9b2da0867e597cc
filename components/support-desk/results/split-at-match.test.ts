import { expect, test } from 'vitest';
import { splitAtMatch } from './split-at-match.ts';

const url = 'https://hooks.example.com/messaging/v2/tenants/Marlow/receive';

test('what was searched for stays visible if it is far behind in a URL', () => {
  expect(splitAtMatch(url, 'marlow')).toEqual({
    head: 'https://hooks.example.com/messaging/v2/tenants/',
    tail: 'Marlow/receive',
  });
});

test.each(['hooks', 'example.com', 'nowhere', 'thisisaname thatislonger thantheline ofaphone', ''])(
  'a URL is not split for “%s”, which is at its start or not in it',
  (search) => {
    expect(splitAtMatch(url, search)).toEqual({ head: url, tail: '' });
  },
);
