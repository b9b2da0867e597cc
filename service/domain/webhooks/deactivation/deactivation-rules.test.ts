import { expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { isDueForDeactivation } from './deactivation-rules.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const since = (ms: number) => new Date(now.getTime() - ms);

test.each([
  ['after 5 days and 10 failures', { failureCount: 10, failingSince: since(5 * dayMs) }, true],
  ['not a moment before', { failureCount: 99, failingSince: since(5 * dayMs - 1) }, false],
  ['not after fewer failures', { failureCount: 9, failingSince: since(9 * dayMs) }, false],
  ['not while it works', { failureCount: 0, failingSince: null }, false],
])('a webhook is deactivated %s', (_when, webhook, isDue) => {
  expect(isDueForDeactivation(webhook, now)).toBe(isDue);
});
