import { describe, expect, test } from 'vitest';
import { calculateHealthFigures } from './calculate-health-figures.ts';

const statistics = {
  window: '24h',
  delivered: 2418,
  failed: 108,
  response_p50_ms: 182,
  response_p95_ms: 1240,
  previous: null,
  deliveries: { delivered: 2418, failed: 12, retrying: 0 },
} as const;

function figures(over: object = {}) {
  return calculateHealthFigures({ ...statistics, ...over });
}

test('the figures count deliveries and attempts separately and name the window', () => {
  expect(figures()).toEqual([
    {
      label: 'Success of deliveries, 24 h',
      value: '99.5 %',
      note: '2,418 of 2,430 deliveries',
    },
    { label: 'Success of attempts, 24 h', value: '95.7 %', note: '2,418 of 2,526 attempts' },
    { label: 'Median response time', value: '182 ms', note: 'p50 over 24 hours' },
    { label: '95th percentile', value: '1.24 s', note: 'p95 over 24 hours' },
  ]);
  expect(figures({ window: '30d' }).map(({ note }) => note)).toContain('p50 over 30 days');
});

test('without attempts no figure has a value', () => {
  const none = { delivered: 0, failed: 0, response_p50_ms: null, response_p95_ms: null };
  const told = figures({ ...none, deliveries: { delivered: 0, failed: 0, retrying: 0 } });
  expect(told.map(({ value }) => value)).toEqual([null, null, null, null]);
  expect(told.map(({ note }) => note)).toEqual([
    'No deliveries',
    'No attempts',
    'p50 over 24 hours',
    'p95 over 24 hours',
  ]);
});

test('deliveries that wait for a retry are not delivered', () => {
  const failing = figures({ deliveries: { delivered: 1, failed: 0, retrying: 3 } });
  expect(failing[0]).toMatchObject({ value: '25.0 %', note: '1 of 4 deliveries, 3 retrying' });
});

test('the response times are compared with the same span of time before', () => {
  const previous = {
    since: '2026-11-19T12:30:00.000+00:00',
    until: '2026-11-20T12:28:00.000+00:00',
    delivered: 90,
    failed: 3,
    success_rate: 0.9677,
    response_p50_ms: 173,
    response_p95_ms: 940,
  };
  const notes = (over: object) =>
    figures(over)
      .map(({ note }) => note)
      .slice(2);
  expect(notes({ previous })).toEqual(['173 ms the day before', '940 ms the day before']);
  expect(notes({ window: '7d', previous })[0]).toBe('173 ms the week before');
  const unanswered = { ...previous, response_p50_ms: null, response_p95_ms: null };
  expect(notes({ previous: unanswered })[0]).toBe('p50 over 24 hours');
});

describe('the success rate', () => {
  test.each([
    [1, 0, '100 %', '1 of 1 attempt'],
    [0, 1, '0 %', '0 of 1 attempt'],
    [2, 1, '66.7 %', '2 of 3 attempts'],
    [99_999, 1, '99.9 %', '99,999 of 100,000 attempts'],
    [1, 99_999, '0.1 %', '1 of 100,000 attempts'],
  ])('of %i delivered and %i failed attempts is %s', (delivered, failed, value, note) => {
    expect(figures({ delivered, failed })[1]).toMatchObject({ value, note });
  });
});
