import { expect, test } from 'vitest';
import { email } from '#lib/contract/people/credentials.ts';
import { name } from '#lib/contract/fields/fields.ts';
import { emailError, nameError } from './text-errors.ts';

const missing = 'Enter it.';

test.each([
  [' ', missing],
  ['ida', 'This is not an email address.'],
  ['ida@', 'This is not an email address.'],
  ['ida@exa_mple.com', 'This is not an email address.'],
  ['ida@exa/mple.com\u00e4', 'This is not an email address.'],
  ['id\u00e4@example.com', 'This is not an email address.'],
  [`ida@${'\u00fc'.repeat(60)}.example`, 'This is not an email address.'],
  ['ida @example.com', 'This is not an email address.'],
  [`${'a'.repeat(250)}@example.com`, 'Use at most 254 characters.'],
  [' Ida.Berg+keys@Example.com ', null],
  ["a&b=c/d+e!f#g%h~i{j}k'l*m?n^o`p|q$r@example.com", null],
  ['ida@intranet', null],
  ['ida@example.xn--p1ai', null],
  ['ida@пример.рф', null],
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

test('a domain in other letters is stored as mail servers name it', () => {
  expect(email.parse(' Ida.Berg@MÜNCHEN.example ')).toBe('ida.berg@xn--mnchen-3ya.example');
  expect(email.parse('ida@пример.рф')).toBe('ida@xn--e1afmkfd.xn--p1ai');
});
