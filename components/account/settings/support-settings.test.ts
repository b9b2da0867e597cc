import { expect, test } from 'vitest';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { countCovered, whyNoMore } from './support-settings.tsx';

const keys: KeysOfScopes[] = [
  { scopes: ['webhooks:read'], count: 1 },
  { scopes: ['webhooks:read', 'events:read'], count: 2 },
  { scopes: [...allScopes], count: 1 },
];

test.each([
  ['within_role', false, '1 of 4 active keys', '2 more if they can read messages. 1 manages keys.'],
  ['all_but_management', true, '3 of 4 active keys', '1 manages keys.'],
] as const)('%s, with messages: %s, covers %s, because: %s', (tokens, payloads, count, why) => {
  const support = { tokens, payloads, error_texts: false };
  expect(countCovered(support, keys)).toBe(count);
  expect(whyNoMore(support, keys)).toBe(why);
});
