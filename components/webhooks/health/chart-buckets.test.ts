import { expect, test } from 'vitest';

import { toChartBuckets } from './chart-buckets.ts';

const figures = { success_rate: null, p50_ms: null, p95_ms: null };

test('buckets tell their span in the reader’s zone, and only the last one is still filling', () => {
  const statistics = {
    bucket_seconds: 3600,
    buckets: [
      { start: '2026-11-20T22:00:00.000+00:00', delivered: 58, failed: 7, ...figures },
      { start: '2026-11-20T23:00:00.000+00:00', delivered: 0, failed: 0, ...figures },
    ],
  };
  expect(toChartBuckets(statistics, 'UTC')).toEqual([
    {
      start: '2026-11-20T22:00:00.000+00:00',
      span: '20 Nov, 22:00 – 23:00',
      delivered: 58,
      failed: 7,
      isFilling: false,
    },
    {
      start: '2026-11-20T23:00:00.000+00:00',
      span: '20 Nov, 23:00 – 24:00, so far',
      delivered: 0,
      failed: 0,
      isFilling: true,
    },
  ]);
  expect(toChartBuckets(statistics, 'Europe/Berlin').map(({ span }) => span)).toEqual([
    '20 Nov, 23:00 – 24:00',
    '21 Nov, 00:00 – 01:00, so far',
  ]);
});
