import { expect, test } from 'vitest';

import { describeFactors } from './describe-factors.ts';

test('a member’s second factors are named by what they are, and none by nothing', () => {
  expect(describeFactors({ passkeys: 0, app: false })).toBeNull();
  expect(describeFactors({ passkeys: 0, app: true })).toBe('Authenticator app');
  expect(describeFactors({ passkeys: 1, app: false })).toBe('Passkey');
  expect(describeFactors({ passkeys: 2, app: true })).toBe('2 passkeys and app');
});
