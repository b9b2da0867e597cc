import { describe, expect, test } from 'vitest';

import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

import { makeWebhook } from '../testing/make-webhook.ts';
import { calculateHealthFigures } from './calculate-health-figures.ts';

const now = new Date('2026-11-20T12:28:00Z');
const statistics = {
  window: '24h',
  delivered: 2418,
  failed: 108,
  p50_ms: 182,
  p95_ms: 1240,
} as const;

const webhook = makeWebhook({ last_triggered_at: '2026-11-20T12:27:48.000+00:00' });

function figures(over: { statistics?: object; webhook?: Partial<Webhook> } = {}) {
  return calculateHealthFigures({
    statistics: { ...statistics, ...over.statistics },
    webhook: { ...webhook, ...over.webhook },
    now,
    zone: 'UTC',
  });
}

test('the figures count attempts and say over how long', () => {
  expect(figures()).toEqual([
    { label: 'Success rate, 24 hours', value: '95.7 %', note: '2,418 of 2,526 attempts' },
    { label: 'Median answer', value: '182 ms', note: 'p50 over 24 hours' },
    { label: 'Slowest 5 %', value: '1.24 s', note: 'p95 over 24 hours' },
    { label: 'Last attempt', value: '12 s ago', note: '12:27' },
  ]);
  expect(figures({ statistics: { window: '30d' } }).map(({ note }) => note)).toContain(
    'p50 over 30 days',
  );
});

test('without attempts there is nothing to tell, and no number pretends to be one', () => {
  const none = { delivered: 0, failed: 0, p50_ms: null, p95_ms: null };
  const told = figures({ statistics: none, webhook: { last_triggered_at: null } });
  expect(told.map(({ value }) => value)).toEqual([null, null, null, null]);
  expect(told.map(({ note }) => note)).toEqual([
    'No attempts',
    'p50 over 24 hours',
    'p95 over 24 hours',
    'None so far',
  ]);
});

describe('the success rate', () => {
  test.each([
    [1, 0, '100 %', '1 of 1 attempt'],
    [0, 1, '0 %', '0 of 1 attempt'],
    [2, 1, '66.7 %', '2 of 3 attempts'],
    [99_999, 1, '99.9 %', '99,999 of 100,000 attempts'],
    [1, 99_999, '0.1 %', '1 of 100,000 attempts'],
  ])('of %i delivered and %i failed attempts is %s', (delivered, failed, value, note) => {
    expect(figures({ statistics: { delivered, failed } })[0]).toMatchObject({ value, note });
  });
});

describe('what is going on now', () => {
  test.each<[string, Partial<Webhook>, object]>([
    [
      'a failing webhook tells for how long it has failed',
      { failure_count: 3, failing_since: '2026-11-20T12:24:00.000+00:00' },
      { label: 'Failing for', value: '4 min', note: '3 failures since 12:24', isWarning: true },
    ],
    [
      'what began on another day is told with its day',
      { failure_count: 1, failing_since: '2026-11-19T12:28:00.000+00:00' },
      { value: '24 h', note: '1 failure since 19 Nov, 12:28' },
    ],
    [
      'where it is not known since when, the failures are counted',
      { failure_count: 1204 },
      { label: 'Failed in a row', value: '1,204', note: 'attempts since the last success' },
    ],
    [
      'a paused webhook is not failing, it was last tried',
      { status: 'paused', failure_count: 3, failing_since: '2026-11-20T12:24:00.000+00:00' },
      { label: 'Last attempt', value: '12 s ago' },
    ],
    [
      'an attempt newer than the page’s clock was just now',
      { last_triggered_at: '2026-11-20T12:29:30.000+00:00' },
      { label: 'Last attempt', value: 'Just now', note: '12:29' },
    ],
    [
      'an old attempt is told by its day and time',
      { last_triggered_at: '2026-11-03T07:05:00.000+00:00' },
      { label: 'Last attempt', value: '3 Nov', note: '3 Nov, 07:05' },
    ],
  ])('%s', (_, over, expected) => {
    expect(figures({ webhook: over })[3]).toMatchObject(expected);
  });
});
