import { expect, test } from 'vitest';

import { findAcceptance } from './find-acceptance.ts';

const email = 'mika@example.com';

test.each([
  ['create_account', null, 'create-account'],
  ['set_password', null, 'set-password'],
  ['set_password', email, 'set-password'],
  ['sign_in', null, 'sign-in'],
  ['sign_in', email, 'join'],
  ['create_account', 'else@example.com', 'other-person'],
  ['set_password', 'else@example.com', 'other-person'],
  ['sign_in', 'else@example.com', 'other-person'],
] as const)('the step %s, while %s is signed in: %s', (step, signedIn, acceptance) => {
  expect(findAcceptance({ email, step }, signedIn)).toBe(acceptance);
});
