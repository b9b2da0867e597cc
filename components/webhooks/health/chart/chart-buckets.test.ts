import { expect, test } from 'vitest';
import { describeBucketLength, toChartBuckets } from './chart-buckets.ts';

const figures = { delivered: 0, failed: 0, success_rate: null, p50_ms: null, p95_ms: null };

test('a bucket’s label is its span in the reader’s time zone, and only the last is incomplete', () => {
  const statistics = {
    bucket_seconds: 3600,
    buckets: [
      {
        start: '2026-11-20T22:00:00.000+00:00',
        ...figures,
        deliveries: {
          total: 70,
          delivered: 58,
          delivered_after_retry: 3,
          retrying: 2,
          failed: 7,
          cancelled: 1,
        },
      },
      { start: '2026-11-20T23:00:00.000+00:00', ...figures, deliveries: none },
    ],
  };
  expect(toChartBuckets(statistics, 'UTC')).toEqual([
    {
      start: new Date('2026-11-20T22:00:00Z'),
      end: new Date('2026-11-20T23:00:00Z'),
      span: '20 Nov, 22:00 – 23:00',
      counts: { delivered: 58, retried: 5, failed: 7, waiting: 2, cancelled: 1 },
      heights: { delivered: 55, retried: 5, failed: 7, waiting: 2, cancelled: 1 },
    },
    {
      start: new Date('2026-11-20T23:00:00Z'),
      end: new Date('2026-11-21T00:00:00Z'),
      span: '20 Nov, 23:00 – 24:00, so far',
      counts: { delivered: 0, retried: 0, failed: 0, waiting: 0, cancelled: 0 },
      heights: { delivered: 0, retried: 0, failed: 0, waiting: 0, cancelled: 0 },
    },
  ]);
  expect(toChartBuckets(statistics, 'Europe/Berlin').map(({ span }) => span)).toEqual([
    '20 Nov, 23:00 – 24:00',
    '21 Nov, 00:00 – 01:00, so far',
  ]);
});

const none = {
  total: 0,
  delivered: 0,
  delivered_after_retry: 0,
  retrying: 0,
  failed: 0,
  cancelled: 0,
};

test.each([
  [60, 'deliveries a minute'],
  [300, 'deliveries in 5 minutes'],
  [1800, 'deliveries per half hour'],
  [3600, 'deliveries an hour'],
  [21_600, 'deliveries in 6 hours'],
  [86_400, 'deliveries a day'],
])('a bar of %i seconds counts %s', (seconds, words) => {
  expect(describeBucketLength(seconds)).toBe(words);
});
