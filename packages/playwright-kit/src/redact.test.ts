import { expect, test } from 'vitest';
import { redactError } from './redact.ts';

test('a secret is removed from an error, and an empty one, such as the token of an account that is not set up, removes nothing', () => {
  const error = { message: 'Expected: a staple', value: undefined };
  redactError(error, ['', 'staple']);
  expect(error).toEqual({ message: 'Expected: a [redacted]', value: undefined });
});
