import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withCauses, errorCode } from './error-code.ts';

test('errorCode returns the code that Node gave an error', async () => {
  const error: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason);
  expect(errorCode(error)).toBe('ENOENT');
});

test.each([
  ['an error without a code', new Error('x')],
  ['an error whose code is a number', Object.assign(new Error('x'), { code: 7 })],
  ['a value that is not an error', { code: 'ENOENT' }],
  ['nothing', undefined],
])('errorCode returns null for %s', (_, error) => {
  expect(errorCode(error)).toBeNull();
});

test('withCauses yields the error first, then each cause, and stops at a value that is not an error', () => {
  const inner = new Error('inner', { cause: 'a text' });
  const outer = new Error('outer', { cause: inner });
  expect([...withCauses(outer)]).toEqual([outer, inner]);
  expect([...withCauses('a text')]).toEqual([]);
});
