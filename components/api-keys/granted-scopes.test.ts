import { expect, test } from 'vitest';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { grantedScopes } from './granted-scopes.ts';

test('a scope that another one includes is listed with that one', () => {
  const granted = grantedScopes(['webhooks:read', 'webhooks:manage', 'events:read']);
  expect(granted).toEqual([
    { scope: 'webhooks:manage', includes: ['webhooks:read'] },
    { scope: 'events:read', includes: [] },
  ]);
});

test('no scope is lost: each is granted or included', () => {
  const granted = grantedScopes(allScopes);
  const said = granted.flatMap(({ scope, includes }) => [scope, ...includes]);
  expect(said.toSorted()).toEqual(allScopes.toSorted());
  expect(grantedScopes(['webhooks:read'])).toEqual([{ scope: 'webhooks:read', includes: [] }]);
});
