import { expect, test } from 'vitest';

import { olderTokens } from '#components/shell/states/older-tokens.ts';
import { type ApiKey, apiKey as schema } from '#lib/contract/api-keys/api-key.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';

import { wasUsedAfterReplacement, tokenLastUse } from './token-last-use.ts';

const replacedAt = '2026-11-20T10:00:00.000+00:00';
const before = '2026-11-20T09:00:00.000+00:00';
const after = '2026-11-20T11:00:00.000+00:00';
const later = '2026-11-20T12:00:00.000+00:00';
const now = new Date('2026-11-20T13:00:00.000Z');

test('the IP address is shown for the token that was used last', () => {
  const byOlder = key({ newest: before, older: after });
  expect(usesOf(byOlder)).toEqual([
    { at: before, from: null },
    { at: after, from: '203.0.113.7' },
  ]);
  const byNewest = key({ newest: later, older: after });
  expect(usesOf(byNewest)).toEqual([
    { at: later, from: '203.0.113.7' },
    { at: after, from: null },
  ]);
});

test('a token that was never used has no last use and no IP address', () => {
  expect(usesOf(key({ newest: null, older: null }))).toEqual([
    { at: null, from: null },
    { at: null, from: null },
  ]);
});

test('an older token counts as still used only if it was used after its replacement', () => {
  const isInUse = (older: string | null) =>
    olderTokens(key({ newest: null, older }), now).map(wasUsedAfterReplacement);
  expect(isInUse(before)).toEqual([false]);
  expect(isInUse(null)).toEqual([false]);
  expect(isInUse(after)).toEqual([true]);
});

/** @param newest when the newest token was used last, or null; likewise `older` */
function key({ newest, older }: { newest: string | null; older: string | null }): ApiKey {
  const [first, second] = sampleApiKey.tokens;
  const [lastUsedAt = null] = [newest, older]
    .filter((at) => at !== null)
    .toSorted()
    .toReversed();
  return schema.parse({
    ...sampleApiKey,
    last_used_at: lastUsedAt,
    last_used_ip: lastUsedAt === null ? null : '203.0.113.7',
    tokens: [
      { ...first, created_at: replacedAt, last_used_at: newest },
      { ...second, last_used_at: older },
    ],
  });
}

function usesOf(apiKey: ApiKey) {
  return apiKey.tokens.map((token) => tokenLastUse(apiKey, token));
}
