import { expect, test } from 'vitest';
import { splitUrl } from './split-url.ts';

test.each([
  ['orders.example.com/webhooks/v2/inbound', 'orders.example.com/webhooks/v2', '/inbound'],
  ['https://orders.example.com/in', 'https://orders.example.com', '/in'],
  ['a.example/v1/0123456789abcdef', 'a.example/v1/01', '23456789abcdef'],
  ['a.example/in/', 'a.example', '/in'],
  ['a.example/hooks?environment=production', 'a.example/hooks?environment', '=production'],
  ['a.example/customer-messaging-inbound', 'a.example/customer-messaging', '-inbound'],
  ['a.example/v1/0123456789abcdef?a=b', 'a.example/v1/0123456789abcdef', '?a=b'],
  ['a.example/v1/0123456789abcdef-xy', 'a.example/v1/01234', '56789abcdef-xy'],
  ['http://10.0.0.1:4000/in?a=b', 'http://10.0.0.1:4000', '/in?a=b'],
])(
  '%s is split before its last part, or before a word in its last 14 characters',
  (url, head, tail) => {
    expect(splitUrl(url)).toEqual({ head, tail });
  },
);

test.each(['https://example.com/', 'https://example.com', 'example.com', 'example.com/'])(
  '%s has no path, so it is not split',
  (url) => {
    expect(splitUrl(url)).toEqual({ head: url.replace(/\/$/, ''), tail: '' });
  },
);
