import { expect, test } from 'vitest';
import type { IncidentPreview } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import {
  describeEffect,
  describeIncidentOutcome,
  describeKeysInUse,
  describeLastDay,
  incidentTitle,
} from './describe-incident.ts';

const none = { waiting: 0, done: 0, skipped: 0, failed: 0, cancelled: 0 };

test.each([
  ['rotate', 'running', { ...none, waiting: 11, done: 1 }, 'Rotating 12 keys'],
  ['revoke', 'running', { ...none, waiting: 1 }, 'Revoking 1 key'],
  ['revoke', 'done', { ...none, done: 12 }, '12 keys revoked'],
  ['rotate', 'done', { ...none, done: 1, failed: 1 }, '1 of 2 keys rotated'],
] as const)(
  'the title of an incident to %s that is %s counts its keys',
  (act, state, counts, title) => {
    expect(incidentTitle({ act, state, counts })).toBe(title);
  },
);

test('keys that were left out are counted by reason', () => {
  const counts = { waiting: 0, done: 9, skipped: 2, failed: 1, cancelled: 3 };
  expect(describeIncidentOutcome({ act: 'rotate', state: 'cancelled', counts })).toBe(
    '9 of 15 keys rotated, 2 skipped, 1 failed, 3 cancelled',
  );
});

test.each([
  ['rotate', 1, /^The key gets a new token; .+ The new token is not shown yet: you get it from/],
  [
    'rotate',
    2,
    /^Each key gets a new token; .+ The new tokens are not shown yet: you get each one from/,
  ],
  ['revoke', 1, /^Calls with the key are/],
  ['revoke', 2, /^Calls with a key are/],
] as const)('the effect of an incident to %s is described for %i', (act, keys, effect) => {
  expect(describeEffect(act, keys)).toMatch(effect);
});

test.each([
  [1, 'No', '0 calls with this token'],
  [2, 'None of these keys', '0 calls with these tokens'],
])('a preview without calls is described for %i', (keys, inUse, lastDay) => {
  const preview = previewOf(keys);
  expect(describeKeysInUse(preview)).toBe(inUse);
  expect(describeLastDay(preview)).toBe(lastDay);
});

test('keys in use are counted', () => {
  const { keys, totals } = previewOf(2);
  expect(describeKeysInUse({ keys, totals: { ...totals, keys_in_use: 1 } })).toBe('1 key');
});

/** Of an incident with so many keys, each with one token. */
function previewOf(count: number): Pick<IncidentPreview, 'keys' | 'totals'> {
  const calls = { calls_per_hour: 0, calls_ending_now: 0, calls_ending_later: 0 };
  const tokens = { tokens_ending_now: 1, tokens_ending_later: 0, live_tokens: 1 };
  const key = { ...calls, ...tokens, calls_last_day: 0, is_in_use: false, skip_reason: null };
  return {
    keys: Array.from({ length: count }, (_, at) => ({
      ...key,
      uuid: `00000000-0000-4000-8000-00000000000${at}`,
      name: `Key ${at}`,
      last_four: 'fvTr',
    })),
    totals: {
      keys: count,
      skipped: 0,
      live_tokens: count,
      tokens_ending_now: count,
      tokens_ending_later: 0,
      calls_ending_now: 0,
      calls_ending_later: 0,
      calls_last_day: 0,
      keys_in_use: 0,
    },
  };
}
