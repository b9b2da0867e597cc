import { expect, test } from 'vitest';
import { sampleApiKey } from '#lib/contract/samples.ts';
import { apiKey } from '#lib/contract/api-keys/api-key.ts';
import type { FoundKeyDetails } from '#lib/contract/support-desk/support-desk.ts';
import { dayMs } from '#lib/durations.ts';
import { apiKeyState, foundKeyState, isExpiringSoon } from './api-key-state.ts';

const end = new Date('2026-11-27T12:00:00.000Z');
const key = apiKey.parse({
  ...sampleApiKey,
  status: 'active',
  tokens: [],
  expires_at: end.toISOString().replace('Z', '+00:00'),
});

test.each([
  ['just over seven days', 'active', 7 * dayMs + 1],
  ['exactly seven days', 'expiring', 7 * dayMs],
  ['a millisecond', 'expiring', 1],
  ['nothing', 'expired', 0],
] as const)('%s before its end a key is shown as %s', (_left, state, left) => {
  const now = new Date(end.getTime() - left);
  expect(apiKeyState(key, now)).toBe(state);
  expect(isExpiringSoon(key, now)).toBe(state !== 'active');
});

test('a key that the support desk found is shown in the state that the list of keys shows', () => {
  const found = { ...foundKey, expires_at: new Date(end.getTime()).toISOString() };
  const stateAt = (left: number, change: Partial<FoundKeyDetails> = {}) =>
    foundKeyState({ ...found, ...change }, new Date(end.getTime() - left));
  expect(stateAt(8 * dayMs)).toBe('active');
  expect(stateAt(7 * dayMs)).toBe('expiring');
  expect(stateAt(0)).toBe('expired');
  expect(stateAt(dayMs, { unconfirmed: { was_shown: true } })).toBe('unconfirmed');
  const rotating = { status: 'rotating', rotating_until: found.expires_at } as const;
  expect(stateAt(1, rotating)).toBe('rotating');
  expect(stateAt(8 * dayMs, { ...rotating, rotating_until: new Date(0).toISOString() })).toBe(
    'active',
  );
  expect(stateAt(dayMs, { status: 'revoked' })).toBe('revoked');
});

const foundKey: FoundKeyDetails = {
  last_four: key.last_four,
  older_last_four: null,
  status: 'active',
  unconfirmed: null,
  rotating_until: null,
  revoked_at: null,
  revoked_by: null,
  last_used_at: null,
  last_used_ip: null,
  expires_at: null,
  may: 'nothing',
  open_request: null,
};
