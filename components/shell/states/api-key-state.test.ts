import { expect, test } from 'vitest';

import { sampleApiKey } from '#lib/contract/samples.ts';
import { apiKey } from '#lib/contract/api-keys/api-key.ts';

import { apiKeyState, isExpiringSoon } from './api-key-state.ts';

const end = new Date('2026-11-27T12:00:00.000Z');
const key = apiKey.parse({
  ...sampleApiKey,
  status: 'active',
  tokens: [],
  expires_at: end.toISOString().replace('Z', '+00:00'),
});
const day = 86_400_000;

test.each([
  ['just over seven days', 'active', 7 * day + 1],
  ['exactly seven days', 'expiring', 7 * day],
  ['a millisecond', 'expiring', 1],
  ['nothing', 'expired', 0],
] as const)('%s before its end a key is shown as %s', (_left, state, left) => {
  const now = new Date(end.getTime() - left);
  expect(apiKeyState(key, now)).toBe(state);
  expect(isExpiringSoon(key, now)).toBe(state !== 'active');
});
