import { describe, expect, test } from 'vitest';
import {
  canonicalAddress,
  canonicalNetwork,
  isInNetworks,
  isLoopbackAddress,
  isLoopbackHost,
  subscriberOf,
} from './networks.ts';

describe('a network', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:0:1::5/64', '2001:db8:0:1::/64'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.0/33', null],
    ['10.1/16', null],
    ['198.51.100.300/32', null],
    ['::/129', null],
    ['10.0.0.0/-1', null],
    ['10.0.0.0/8/8', null],
    ['0x0a000000/8', null],
    ['::ffff:10.0.0.0/104', null],
    ['example.com', null],
    ['', null],
  ])('%s is %s', (text, expected) => {
    expect(canonicalNetwork(text)).toBe(expected);
  });

  test.each([
    ['10.9.9.9', true],
    ['::ffff:10.9.9.9', true],
    ['11.0.0.1', false],
    ['2001:db8::9', true],
    ['2001:db9::9', false],
    ['203.0.113.9', false],
    ['not an address', false],
  ])('holds %s: %s', (address, expected) => {
    expect(isInNetworks(address, ['10.0.0.0/8', '2001:db8::/32'])).toBe(expected);
  });

  test('contains the loopback address of IPv6 if it contains that of IPv4', () => {
    expect(isInNetworks('::1', ['127.0.0.0/8'])).toBe(true);
    expect(isInNetworks('::1', ['127.0.0.1/32'])).toBe(true);
    expect(isInNetworks('::1', ['127.0.0.2/32', '10.0.0.0/8'])).toBe(false);
    expect(isInNetworks('127.0.0.1', ['::1/128'])).toBe(false);
  });

  test('a list without entries contains no address', () => {
    expect(isInNetworks('10.0.0.1', [])).toBe(false);
  });
});

describe('an address has one canonical form', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['127.1', null],
    ['0x7f000001', null],
    ['2130706433', null],
    ['unknown', null],
    ['', null],
  ])('%s is %s', (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected);
  });
});

describe('a subscriber', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ])('at %s is %s', (address, expected) => {
    expect(subscriberOf(address)).toBe(expected);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
])('the host %s means this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});
