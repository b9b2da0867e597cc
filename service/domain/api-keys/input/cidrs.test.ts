import { describe, expect, test } from 'vitest';
import { findCidrProblems, isAddressAllowed, parseCidrs } from './cidrs.ts';

describe('networks are stored canonical', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.77/24', '203.0.113.0/24'],
    [' 198.51.100.7 ', '198.51.100.7/32'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['2001:db8::5', '2001:db8::5/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s → %s', (text, canonical) => expect(parseCidrs([text])).toEqual([canonical]));

  test('a network that is given twice is stored once', () => {
    expect(parseCidrs(['10.0.0.1/8', '10.0.0.2/8'])).toEqual(['10.0.0.0/8']);
  });
});

test.each([
  '198.51.100.300/32',
  '10.0.0.0/33',
  '::/129',
  'example.com',
  '',
  '10.1/8',
  '0x7f.1',
  '::ffff:10.0.0.1',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
])('%s is refused with a sentence naming it', (text) => {
  expect(findCidrProblems(['10.0.0.0/8', text])).toEqual([
    `"${text}" is not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.`,
  ]);
});

describe('an address is allowed', () => {
  test.each([
    ['anywhere when no network is given', '203.0.113.9', [], true],
    ['inside a network', '203.0.113.9', ['203.0.113.0/24'], true],
    ['inside the second', '10.1.2.3', ['203.0.113.0/24', '10.0.0.0/8'], true],
    ['not outside', '203.0.114.9', ['203.0.113.0/24'], false],
    ['as IPv4 written in IPv6', '::ffff:203.0.113.9', ['203.0.113.0/24'], true],
    ['in an IPv6 network', '2001:db8:1::9', ['2001:db8::/32'], true],
    ['not IPv4 in an IPv6 network', '203.0.113.9', ['2001:db8::/32'], false],
    ['not when it is no address', 'unknown', ['0.0.0.0/0'], false],
  ])('%s', (_what, address, cidrs, allowed) => {
    expect(isAddressAllowed(address, cidrs)).toBe(allowed);
  });
});
