import { describe, expect, test } from 'vitest';
import { accountOf, accountPath, pagePartsOf, sameArea } from './account-path.ts';

const id = '0198c2a4-0000-7000-8000-000000000007';

test.each([
  [`/a/${id}/settings/api-keys?status=all`, id],
  [`/a/${id}`, id],
  [`/a/${id}?x=/a/other/`, id],
  ['/a/%41%2F..', '%41%2F..'],
  ['/a/', ''],
  ['/a', null],
  ['/', null],
  ['/settings/api-keys', null],
  ['/sign-in?next=/a/b/settings', null],
  ['/api/v1/webhooks', null],
  [`/x/a/${id}/settings`, null],
])('the address %s names the account %j', (path, account) => {
  expect(accountOf(path)).toBe(account);
});

test('the address of a page names its account', () => {
  const path = accountPath(id, 'settings/webhooks?q=a');
  expect(path).toBe(`/a/${id}/settings/webhooks?q=a`);
  expect(accountOf(path)).toBe(id);
});

test.each([
  ['/a/1', {}],
  ['/a/1/settings/team', { area: 'team' }],
  ['/a/1/settings/webhooks?q=a/b', { area: 'webhooks' }],
  [`/a/1/settings/api-keys/${id}#main`, { area: 'api-keys', id }],
  [`/a/1/settings/webhooks/${id}/edit`, { area: 'webhooks', id, subpage: 'edit' }],
])('the path %s has the parts %j', (path, parts) => {
  expect(pagePartsOf(path)).toEqual(parts);
});

describe('another account', () => {
  test.each([
    ['/a/1/settings/api-keys', '/a/2/settings/api-keys'],
    [`/a/1/settings/api-keys/${id}/edit`, '/a/2/settings/api-keys'],
    ['/a/1/settings/webhooks/new', '/a/2/settings/webhooks'],
    ['/a/1/settings/webhooks?q=shop', '/a/2/settings/webhooks'],
    ['/a/1/settings/account', '/a/2/settings/account'],
    ['/a/1/settings', '/a/2/settings/api-keys'],
    ['/a/1', '/a/2/settings/api-keys'],
    ['/', '/a/2/settings/api-keys'],
  ])('switching from %s leads to %s', (path, area) => {
    expect(sameArea(path, '2')).toBe(area);
  });
});
