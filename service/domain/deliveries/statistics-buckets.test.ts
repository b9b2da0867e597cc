import { describe, expect, test } from 'vitest';
import { createStatisticsBuckets, previousSpan } from './statistics-buckets.ts';

const now = new Date('2026-11-21T12:28:00Z');
const minutes = 60_000;
const days = 24 * 60 * minutes;

function summarizeBuckets(window: '24h' | '7d' | '30d', ageMs: number) {
  const createdAt = new Date(now.getTime() - ageMs);
  const { since, bucketSeconds, buckets } = createStatisticsBuckets(window, { createdAt, now });
  expect(buckets[0]?.start).toEqual(since);
  return { since: since.toISOString(), bucketSeconds, count: buckets.length };
}

describe('the buckets of a webhook', () => {
  test.each([
    ['24h', 1800, 48, '2026-11-20T12:30:00.000Z'],
    ['7d', 21_600, 28, '2026-11-14T18:00:00.000Z'],
    ['30d', 86_400, 30, '2026-10-23T00:00:00.000Z'],
  ] as const)(
    'older than %s are of %i seconds, %i of them',
    (window, bucketSeconds, count, since) => {
      expect(summarizeBuckets(window, 400 * days)).toEqual({ since, bucketSeconds, count });
    },
  );

  test.each([
    ['24h', 40 * minutes, 60, 41, '2026-11-21T11:48:00.000Z'],
    ['24h', 90 * minutes, 120, 46, '2026-11-21T10:58:00.000Z'],
    ['24h', 6 * 60 * minutes, 600, 37, '2026-11-21T06:20:00.000Z'],
    ['24h', 20 * 60 * minutes, 1800, 41, '2026-11-20T16:00:00.000Z'],
    ['7d', 40 * minutes, 60, 41, '2026-11-21T11:48:00.000Z'],
    ['7d', 2 * days, 7200, 25, '2026-11-19T12:00:00.000Z'],
    ['30d', 10 * days, 21_600, 41, '2026-11-11T12:00:00.000Z'],
  ] as const)(
    '%s when it is %i ms old begin with it',
    (window, ageMs, bucketSeconds, count, since) => {
      expect(summarizeBuckets(window, ageMs)).toEqual({ since, bucketSeconds, count });
    },
  );

  test('that was just created cover half an hour', () => {
    expect(summarizeBuckets('24h', 0)).toEqual({
      since: '2026-11-21T11:58:00.000Z',
      bucketSeconds: 60,
      count: 31,
    });
  });

  test('are at most 48, regardless of its age, and the last one holds this moment', () => {
    for (const window of ['24h', '7d', '30d'] as const) {
      for (let ageMs = 0; ageMs < 40 * days; ageMs += 7 * 60 * minutes + 13_000) {
        const createdAt = new Date(now.getTime() - ageMs);
        const { buckets, bucketSeconds } = createStatisticsBuckets(window, { createdAt, now });
        const last = buckets.at(-1)?.start.getTime() ?? 0;
        expect(buckets.length).toBeLessThanOrEqual(48);
        expect(buckets.length).toBeGreaterThanOrEqual(16);
        expect(now.getTime() - last).toBeLessThan(bucketSeconds * 1000);
      }
    }
  });
});

describe('the span before', () => {
  const span = { since: new Date('2026-11-20T12:30:00Z'), until: now };

  function previousOf(window: '24h' | '7d' | '30d', ageMs: number, retentionDays = 30) {
    const createdAt = new Date(now.getTime() - ageMs);
    const previous = previousSpan(window, span, { createdAt, retentionDays });
    return previous && [previous.since.toISOString(), previous.until.toISOString()];
  }

  test('is as long, at the same time of day', () => {
    expect(previousOf('24h', 400 * days)).toEqual([
      '2026-11-19T12:30:00.000Z',
      '2026-11-20T12:28:00.000Z',
    ]);
    expect(previousOf('7d', 400 * days)).toEqual([
      '2026-11-13T12:30:00.000Z',
      '2026-11-14T12:28:00.000Z',
    ]);
  });

  test.each([
    ['began before the webhook', '24h', days + 60 * minutes, 30],
    ['is not kept any more', '24h', 400 * days, 1],
    ['is not kept in the default settings', '30d', 400 * days, 30],
  ] as const)('is not counted if it %s', (_, window, ageMs, retentionDays) => {
    expect(previousOf(window, ageMs, retentionDays)).toBeNull();
  });
});
