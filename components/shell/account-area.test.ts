import { expect, test } from 'vitest';
import { accountArea } from './account-area.ts';

test.each([
  ['/settings/api-keys', '/settings/api-keys'],
  ['/settings/api-keys/0198c2a4-0000-7000-8000-000000000007/edit', '/settings/api-keys'],
  ['/settings/webhooks/new', '/settings/webhooks'],
  ['/settings/account', '/settings/account'],
  ['/settings', '/settings/api-keys'],
  ['/', '/settings/api-keys'],
])('from %s another account is entered at %s', (path, area) => {
  expect(accountArea(path)).toBe(area);
});
