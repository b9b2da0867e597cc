import { expect, test } from 'vitest';
import { describeFactors } from './describe-factors.ts';

test("a member's second factors are named by kind, and are null if there are none", () => {
  expect(describeFactors({ passkeys: 0, app: false })).toBeNull();
  expect(describeFactors({ passkeys: 0, app: true })).toBe('Authenticator app');
  expect(describeFactors({ passkeys: 1, app: false })).toBe('Passkey');
  expect(describeFactors({ passkeys: 2, app: true })).toBe('2 passkeys and app');
});
