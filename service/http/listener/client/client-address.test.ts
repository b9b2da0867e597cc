import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const trusted = ['10.0.0.0/8', '2001:db8:ffff::/48'];

test.each([
  ['a direct client', '203.0.113.7', { peer: '203.0.113.7', forwardedFor: undefined }],
  [
    'a direct client that says it was forwarded',
    '203.0.113.7',
    { peer: '203.0.113.7', forwardedFor: '192.0.2.1' },
  ],
  [
    'an IPv4 client on an IPv6 socket',
    '203.0.113.7',
    { peer: '::ffff:203.0.113.7', forwardedFor: undefined },
  ],
  ['a client behind a proxy', '203.0.113.7', { peer: '10.0.0.1', forwardedFor: '203.0.113.7' }],
  [
    'a client behind a proxy on an IPv6 socket',
    '203.0.113.7',
    { peer: '::ffff:10.0.0.1', forwardedFor: '203.0.113.7' },
  ],
  [
    'a client behind two proxies',
    '203.0.113.7',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7, 10.0.0.2' },
  ],
  [
    'a client that invents what is further left',
    '203.0.113.7',
    { peer: '10.0.0.1', forwardedFor: '192.0.2.1, 203.0.113.7' },
  ],
  [
    'a client that invents a trusted one',
    '203.0.113.7',
    { peer: '10.0.0.1', forwardedFor: '10.9.9.9, 203.0.113.7' },
  ],
  [
    'a client that invents one between',
    '192.0.2.1',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7, 192.0.2.1, 10.0.0.2' },
  ],
  ['an IPv6 client', '2001:db8::7', { peer: '2001:db8:ffff::1', forwardedFor: '2001:DB8:0::7' }],
  [
    'a client whose proxy adds ports',
    '203.0.113.7',
    { peer: '10.0.0.1', forwardedFor: '203.0.113.7:4711' },
  ],
  [
    'an IPv6 client whose proxy adds ports',
    '2001:db8::7',
    { peer: '10.0.0.1', forwardedFor: '[2001:db8::7]:4711' },
  ],
  ['a proxy itself', '10.0.0.1', { peer: '10.0.0.1', forwardedFor: undefined }],
  ['a proxy that says nothing', '10.0.0.1', { peer: '10.0.0.1', forwardedFor: '' }],
  ['a proxy that hides its client', '10.0.0.1', { peer: '10.0.0.1', forwardedFor: 'unknown' }],
  [
    'a proxy behind one, unreadable beyond',
    '10.0.0.2',
    { peer: '10.0.0.1', forwardedFor: 'x, 10.0.0.2' },
  ],
  ['a chain of proxies only', '10.0.0.3', { peer: '10.0.0.1', forwardedFor: '10.0.0.3, 10.0.0.2' }],
  ['a socket that is gone', '0.0.0.0', { peer: undefined, forwardedFor: '192.0.2.1' }],
])('%s has the address %s', (_who, address, request) => {
  expect(clientAddress({ ...request, trustedProxies: trusted })).toBe(address);
});

test('without trusted proxies no X-Forwarded-For is believed, not even from loopback', () => {
  const request = { peer: '127.0.0.1', forwardedFor: '192.0.2.1', trustedProxies: [] };
  expect(clientAddress(request)).toBe('127.0.0.1');
});
