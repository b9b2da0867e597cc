import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const trusted = ['10.0.0.0/8', '2001:db8:ffff::/48'];

test.each([
  ['a direct client', { peer: '203.0.113.7', forwardedFor: undefined }, '203.0.113.7'],
  [
    'a direct client that says it was forwarded',
    { peer: '203.0.113.7', forwardedFor: '192.0.2.1' },
    '203.0.113.7',
  ],
  [
    'an IPv4 client on an IPv6 socket',
    { peer: '::ffff:203.0.113.7', forwardedFor: undefined },
    '203.0.113.7',
  ],
  ['a client behind a proxy', { peer: '10.0.0.1', forwardedFor: '203.0.113.7' }, '203.0.113.7'],
  [
    'a client behind a proxy on an IPv6 socket',
    { peer: '::ffff:10.0.0.1', forwardedFor: '203.0.113.7' },
    '203.0.113.7',
  ],
  [
    'a client behind two proxies',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7, 10.0.0.2' },
    '203.0.113.7',
  ],
  [
    'a client that invents what is further left',
    { peer: '10.0.0.1', forwardedFor: '192.0.2.1, 203.0.113.7' },
    '203.0.113.7',
  ],
  [
    'a client that invents a trusted one',
    { peer: '10.0.0.1', forwardedFor: '10.9.9.9, 203.0.113.7' },
    '203.0.113.7',
  ],
  [
    'a client that invents one between',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7, 192.0.2.1, 10.0.0.2' },
    '192.0.2.1',
  ],
  ['an IPv6 client', { peer: '2001:db8:ffff::1', forwardedFor: '2001:DB8:0::7' }, '2001:db8::7'],
  [
    'a client whose proxy adds ports',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7:4711' },
    '203.0.113.7',
  ],
  [
    'an IPv6 client whose proxy adds ports',
    { peer: '10.0.0.1', forwardedFor: '[2001:db8::7]:4711' },
    '2001:db8::7',
  ],
  ['a proxy itself', { peer: '10.0.0.1', forwardedFor: undefined }, '10.0.0.1'],
  ['a proxy that says nothing', { peer: '10.0.0.1', forwardedFor: '' }, '10.0.0.1'],
  ['a proxy that hides its client', { peer: '10.0.0.1', forwardedFor: 'unknown' }, '10.0.0.1'],
  [
    'a proxy behind one, unreadable beyond',
    { peer: '10.0.0.1', forwardedFor: 'x, 10.0.0.2' },
    '10.0.0.2',
  ],
  ['a chain of proxies only', { peer: '10.0.0.1', forwardedFor: '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  ['a socket that is gone', { peer: undefined, forwardedFor: '192.0.2.1' }, '0.0.0.0'],
])('%s', (_, request, expected) => {
  expect(clientAddress({ ...request, trustedProxies: trusted })).toBe(expected);
});

test('without trusted proxies no X-Forwarded-For is believed, not even from loopback', () => {
  const request = { peer: '127.0.0.1', forwardedFor: '192.0.2.1', trustedProxies: [] };
  expect(clientAddress(request)).toBe('127.0.0.1');
});
