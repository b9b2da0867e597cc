import { expect, test } from 'vitest';
import { countByScopes, countKeys } from './account-usage.ts';

test('keys that work are counted by their scopes, and those that ended are not', () => {
  const groups = countByScopes([
    { status: 'active', scopes: ['messages:write'] },
    { status: 'rotating', scopes: ['messages:write'] },
    { status: 'active', scopes: ['messages:write', 'events:read'] },
    { status: 'revoked', scopes: ['messages:write'] },
    { status: 'expired', scopes: ['events:read'] },
  ]);

  expect(groups).toEqual([
    { scopes: ['messages:write'], count: 2 },
    { scopes: ['messages:write', 'events:read'], count: 1 },
  ]);
  expect(countKeys(groups)).toBe(3);
  expect(countKeys([])).toBe(0);
});
