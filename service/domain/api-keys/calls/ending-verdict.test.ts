import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { decideEndingVerdict } from './ending-verdict.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const old = { createdAt: ago(90 * dayMs), callsLastHour: 0, longestPauseMs: hourMs };

test.each([
  ['calls in the last hour', { lastCallAt: ago(minuteMs), callsLastHour: 14 }, true, 'in_use'],
  ['a call that is not counted yet', { lastCallAt: ago(minuteMs) }, true, 'in_use'],
  ['calls while nobody uses the newest', { lastCallAt: ago(1), callsLastHour: 1 }, false, 'in_use'],
  [
    'no call, while nobody uses the newest',
    { lastCallAt: ago(7 * dayMs) },
    false,
    'new_token_unused',
  ],
  ['a call 5 h 59 min ago', { lastCallAt: ago(6 * hourMs - minuteMs) }, true, 'used_recently'],
  ['a call 6 h ago', { lastCallAt: ago(6 * hourMs) }, true, 'safe_to_end'],
  [
    'a call 7 h ago and a pause of a day before',
    { lastCallAt: ago(7 * hourMs), longestPauseMs: dayMs },
    true,
    'may_be_pausing',
  ],
  [
    'a call exactly as long ago as its longest pause',
    { lastCallAt: ago(dayMs), longestPauseMs: dayMs },
    true,
    'may_be_pausing',
  ],
  [
    'a call longer ago than its longest pause',
    { lastCallAt: ago(dayMs + 1), longestPauseMs: dayMs },
    true,
    'safe_to_end',
  ],
  ['no call since it was created long ago', { lastCallAt: null }, true, 'safe_to_end'],
  [
    'no call since it was created a moment ago',
    { lastCallAt: null, createdAt: ago(minuteMs) },
    true,
    'used_recently',
  ],
] as const)('an old token with %s', (_what, use, isNewestUsed, verdict) => {
  expect(decideEndingVerdict({ ...old, ...use }, { isNewestUsed, now })).toBe(verdict);
});
