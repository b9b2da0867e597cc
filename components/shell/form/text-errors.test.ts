import { expect, test } from 'vitest';
import { email } from '#lib/contract/people/credentials.ts';
import { name } from '#lib/contract/fields/fields.ts';
import { emailError, nameError } from './text-errors.ts';

const missing = 'Enter it.';

test.each([
  [' ', missing],
  ['ida', 'This is not an email address.'],
  ['ida@example', 'This is not an email address.'],
  ['ida @example.com', 'This is not an email address.'],
  [`${'a'.repeat(250)}@example.com`, 'Use at most 254 characters.'],
  [' Ida.Berg+keys@Example.com ', null],
])('the form refuses the email address %j as the contract does', (typed, error) => {
  expect(emailError(typed, missing)).toBe(error);
  expect(email.safeParse(typed).success).toBe(error === null);
});

test.each([
  [' ', missing],
  ['a'.repeat(101), 'Use at most 100 characters.'],
  ['\u{1f600}'.repeat(100), null],
  [' Orders '.padEnd(200), null],
  ['e\u0301'.repeat(100), null],
])('the form refuses the name %j as the contract does', (typed, error) => {
  expect(nameError(typed, missing)).toBe(error);
  expect(name.safeParse(typed).success).toBe(error === null);
});
