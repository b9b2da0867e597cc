import { describe, expect, test } from 'vitest';
import { safeNext, signInPath } from './sign-in-path.ts';

const home = '/';
const account = '/a/0198c2a4-0000-7000-8000-000000000007';

describe('safeNext', () => {
  test.each([
    `${account}/settings/webhooks`,
    `${account}/settings/webhooks?status=paused&q=a%20b`,
    `${account}/settings/api-keys`,
    // From a bookmark or an old email; it leads on to an account.
    '/settings/webhooks?status=paused&q=a%20b',
  ])('keeps a path of our own: %s', (path) => {
    expect(safeNext(path)).toBe(path);
  });

  test.each([
    undefined,
    null,
    '',
    'settings',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    `${account}/../..//evil.example`,
    '/a/../../\\evil.example',
    'javascript:alert(1)',
  ])('leads home instead of to %j', (path) => {
    expect(safeNext(path)).toBe(home);
  });

  test('never leads back to the sign-in page', () => {
    expect(safeNext('/sign-in?next=/sign-in')).toBe(home);
    expect(safeNext('/set-up')).toBe(home);
  });

  test('never leads to a data route, which is not a page', () => {
    expect(safeNext(`${account}/data/api-keys`)).toBe(home);
    expect(safeNext(`${account}/settings/../data`)).toBe(home);
    expect(safeNext('/support/data/desk')).toBe(home);
    expect(safeNext('/support/requests')).toBe('/support/requests');
  });
});

test('the path of the sign-in page names the page only when it is not the first one', () => {
  expect(signInPath(home)).toBe('/sign-in');
  expect(signInPath('/a/7/settings/webhooks?q=a')).toBe(
    '/sign-in?next=%2Fa%2F7%2Fsettings%2Fwebhooks%3Fq%3Da',
  );
});
