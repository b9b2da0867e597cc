import { describe, expect, test } from 'vitest';
import { areCidrsWithin } from './cidrs-within.ts';

describe('networks lie within others', () => {
  test.each([
    [['10.1.0.0/16'], ['10.0.0.0/8'], true],
    [['10.0.0.0/8'], ['10.1.0.0/16'], false],
    [['10.1.0.0/16', '192.0.2.0/24'], ['10.0.0.0/8'], false],
    [[], ['10.0.0.0/8'], false],
    [['10.0.0.0/8'], [], true],
    [[], [], true],
    [['2001:db8:1::/48'], ['2001:db8::/32'], true],
    [['::/0'], ['0.0.0.0/0'], false],
  ])('%j within %j: %s', (inner, outer, within) => {
    expect(areCidrsWithin(inner, outer)).toBe(within);
  });
});
