import { expect, test } from 'vitest';

import { splitAddress } from './split-address.ts';

test.each([
  ['orders.example.com/webhooks/v2/inbound', 'orders.example.com/webhooks/v2', '/inbound'],
  ['https://orders.example.com/in', 'https://orders.example.com', '/in'],
  ['a.example/v1/0123456789abcdef', 'a.example/v1/01', '23456789abcdef'],
  ['a.example/in/', 'a.example', '/in'],
  ['http://10.0.0.1:4000/in?a=b', 'http://10.0.0.1:4000', '/in?a=b'],
])('of %s the last part always stands, or its last letters', (url, head, tail) => {
  expect(splitAddress(url)).toEqual({ head, tail });
});

test.each(['https://example.com/', 'https://example.com', 'example.com', 'example.com/'])(
  '%s is its host',
  (url) => {
    expect(splitAddress(url)).toEqual({ head: url.replace(/\/$/, ''), tail: '' });
  },
);
