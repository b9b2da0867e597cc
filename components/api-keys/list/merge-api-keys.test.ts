import { expect, test } from 'vitest';
import { apiKey } from '#lib/contract/api-keys/api-key.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';
import { mayOmitKeys, mergeApiKeys } from './merge-api-keys.ts';

test('a key that is in both lists is shown once, as in the first list', () => {
  const listed = [key(3, 'active'), key(2, 'revoked')];
  const older = [key(2, 'expired'), key(1, 'expired')];
  expect(mergeApiKeys(listed, older)).toEqual([...listed, key(1, 'expired')]);
});

test.each([
  [199, 0, false],
  [200, 0, true],
  [120, 80, true],
  [100, 99, false],
])('with %i revoked and %i expired keys, some may be missing: %s', (revoked, expired, expected) => {
  const listed = [
    ...Array.from({ length: 50 }, (_, id) => key(1000 + id, 'active')),
    ...Array.from({ length: 50 }, (_, id) => key(2000 + id, 'rotating')),
    ...Array.from({ length: revoked }, (_, id) => key(3000 + id, 'revoked')),
    ...Array.from({ length: expired }, (_, id) => key(4000 + id, 'expired')),
  ];
  expect(mayOmitKeys(listed)).toBe(expected);
});

function key(id: number, status: ApiKey['status']): ApiKey {
  const uuid = `01900000-0000-7000-8000-00000000${id}`;
  return { ...apiKey.parse(sampleApiKey), id, uuid, name: `Key ${id}`, status };
}
