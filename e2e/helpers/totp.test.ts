import { expect, test } from 'vitest';
import { totp, untilNextCode } from './totp.ts';

test('codes are those of RFC 6238, appendix B', () => {
  const key = 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ';
  expect(totp(key, 59_000)).toBe('287082');
  expect(totp(key, 1_111_111_109_000)).toBe('081804');
  expect(totp(key, 20_000_000_000_000)).toBe('353130');
  expect(untilNextCode(59_000)).toBe(1000);
});
