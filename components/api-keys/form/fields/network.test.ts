import { describe, expect, test } from 'vitest';
import { isInNetworks, parseNetwork } from './network.ts';

describe('parseNetwork', () => {
  test.each([
    ['203.0.113.0/24', '256 addresses'],
    [' 198.51.100.7 ', '1 address'],
    ['10.0.0.0/8', '16,777,216 addresses'],
    ['2001:db8::/32', '2^96 addresses'],
    ['2001:db8::1', '1 address'],
    ['2001:db8::/128', '1 address'],
  ])('reads %s', (text, size) => {
    expect(parseNetwork(text)).toEqual({ kind: 'network', size });
  });

  test.each([
    ['198.51.100.300/32', 'above 255'],
    ['198.51.100', 'four numbers'],
    ['1.2.3.', 'four numbers'],
    ['01.2.3.4', 'begin with 0'],
    ['198.51.100.0/33', 'from 0 to 32'],
    ['198.51.100.0/', 'from 0 to 32'],
    ['198.51.100.0/8/8', 'from 0 to 32'],
    ['2001:db8::/129', 'from 0 to 128'],
    ['example.com', 'Not a network'],
    ['0x7f.1', 'Not a network'],
  ])('says what is wrong with %s', (text, why) => {
    const reading = parseNetwork(text);
    expect(reading.kind === 'invalid' && reading.problem).toContain(why);
  });

  test('an empty field is no error', () => {
    expect(parseNetwork('  ')).toEqual({ kind: 'empty' });
  });
});

test('an address is found in its network, even beside invalid networks', () => {
  expect(isInNetworks('198.51.100.24', ['', 'nonsense', '198.51.100.0/24'])).toBe(true);
  expect(isInNetworks('198.51.100.24', ['198.51.100.24'])).toBe(true);
  expect(isInNetworks('::ffff:198.51.100.24', ['198.51.100.0/24'])).toBe(true);
  expect(isInNetworks('2001:db8::9', ['198.51.100.0/24', '2001:db8::/64'])).toBe(true);
  expect(isInNetworks('198.51.100.24', ['203.0.113.0/24'])).toBe(false);
  expect(isInNetworks('198.51.100.24', [])).toBe(false);
});
