import { expect, test } from 'vitest';

import { type ApiKey, apiKey as schema } from '#lib/contract/api-keys.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';

import { isOlderTokenInUse, newestTokenUse, olderTokenUse } from './token-use.ts';

const replacedAt = '2026-11-20T10:00:00.000+00:00';
const before = '2026-11-20T09:00:00.000+00:00';
const after = '2026-11-20T11:00:00.000+00:00';
const later = '2026-11-20T12:00:00.000+00:00';

test('without an older token the key’s last use is the token’s', () => {
  const apiKey = key({ lastUsedAt: after, older: null });
  expect(newestTokenUse(apiKey)).toEqual({ at: after, from: '203.0.113.7' });
  expect(newestTokenUse(key({ lastUsedAt: null, older: null }))).toEqual({ at: null, from: null });
  expect(isOlderTokenInUse(apiKey)).toBe(false);
});

test('the address belongs to the token that was used last', () => {
  const byOlder = key({ lastUsedAt: after, older: after });
  expect(olderTokenUse(byOlder)).toEqual({ at: after, from: '203.0.113.7' });
  expect(newestTokenUse(byOlder)).toBeUndefined();
  const byNewest = key({ lastUsedAt: later, older: after });
  expect(olderTokenUse(byNewest)).toEqual({ at: after, from: null });
  expect(newestTokenUse(byNewest)).toEqual({ at: later, from: '203.0.113.7' });
});

test('an older token counts as in use only by what came after its replacement', () => {
  expect(isOlderTokenInUse(key({ lastUsedAt: before, older: before }))).toBe(false);
  expect(isOlderTokenInUse(key({ lastUsedAt: null, older: 'never' }))).toBe(false);
  expect(isOlderTokenInUse(key({ lastUsedAt: after, older: after }))).toBe(true);
});

/** @param older when the older token was used, `never`, or null for a key without one */
function key({ lastUsedAt, older }: { lastUsedAt: string | null; older: string | null }): ApiKey {
  return schema.parse({
    ...sampleApiKey,
    last_used_at: lastUsedAt,
    last_used_ip: lastUsedAt === null ? null : '203.0.113.7',
    previous_token:
      older === null
        ? null
        : {
            last_four: 'oLd4',
            replaced_at: replacedAt,
            valid_until: '2026-11-21T10:00:00.000+00:00',
            last_used_at: older === 'never' ? null : older,
          },
  });
}
