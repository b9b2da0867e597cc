import { expect, test } from 'vitest';
import { axisLabels, lastBucketLabel } from './axis-labels.ts';

const minuteMs = 60_000;

function makeBuckets(first: string, minutes: number, count: number) {
  const from = Date.parse(first);
  return {
    bucket_seconds: minutes * 60,
    buckets: Array.from({ length: count }, (_, index) => ({
      start: new Date(from + index * minutes * minuteMs).toISOString(),
    })),
  };
}

function said(labels: ReturnType<typeof axisLabels>): [number, string][] {
  return labels.map(({ index, text }) => [index, text]);
}

test('over a day every fourth hour has a label, in the reader’s time zone', () => {
  const day = makeBuckets('2026-11-19T12:30:00Z', 30, 48);
  expect(said(axisLabels(day, 'UTC'))).toEqual([
    [0, '19 Nov, 12:30'],
    [15, '20:00'],
    [23, '00:00'],
    [31, '04:00'],
    [39, '08:00'],
  ]);
  expect(lastBucketLabel(day, 'UTC')).toBe('12:00, so far');
  expect(said(axisLabels(day, 'Europe/Berlin')).slice(0, 3)).toEqual([
    [0, '19 Nov, 13:30'],
    [13, '20:00'],
    [21, '00:00'],
  ]);
  expect(said(axisLabels(day, 'Asia/Kolkata'))[1]).toEqual([12, '00:00']);
});

test('over 40 minutes every tenth minute has a label', () => {
  const young = makeBuckets('2026-11-19T12:14:00Z', 1, 41);
  expect(said(axisLabels(young, 'UTC'))).toEqual([
    [0, '19 Nov, 12:14'],
    [16, '12:30'],
    [26, '12:40'],
  ]);
  expect(lastBucketLabel(young, 'UTC')).toBe('12:54, so far');
});

test('over a week each day has a label where its first bucket begins', () => {
  const week = makeBuckets('2026-11-13T18:00:00Z', 360, 28);
  expect(said(axisLabels(week, 'UTC'))).toEqual([
    [0, '13 Nov'],
    [5, '15 Nov'],
    [9, '16 Nov'],
    [13, '17 Nov'],
    [17, '18 Nov'],
    [21, '19 Nov'],
  ]);
  expect(lastBucketLabel(week, 'UTC')).toBe('12:00, so far');
  expect(said(axisLabels(week, 'America/New_York'))[1]).toEqual([6, '15 Nov']);
});

test('over a month every fifth day has a label', () => {
  const month = makeBuckets('2026-10-22T00:00:00Z', 1440, 30);
  expect(said(axisLabels(month, 'UTC'))).toEqual([
    [0, '22 Oct'],
    [5, '27 Oct'],
    [10, '1 Nov'],
    [15, '6 Nov'],
    [20, '11 Nov'],
    [25, '16 Nov'],
  ]);
  expect(lastBucketLabel(month, 'UTC')).toBe('20 Nov, so far');
});

test('no two labels are nearer than an eighth of the width, on a phone a quarter', () => {
  for (const [minutes, count] of [
    [30, 48],
    [1, 31],
    [2, 46],
    [10, 37],
    [360, 41],
  ] as const) {
    for (let shift = 0; shift < count; shift += 1) {
      const from = Date.parse('2026-11-19T00:00:00Z') + shift * minutes * minuteMs;
      const first = new Date(from).toISOString();
      const labels = axisLabels(makeBuckets(first, minutes, count), 'UTC');
      for (const [shown, share] of [
        [labels, 1 / 8],
        [labels.filter(({ isMinor }) => !isMinor), 1 / 4],
      ] as const) {
        const places = [...shown.map(({ index }) => index), count];
        const nearest = Math.min(...places.slice(1).map((place, at) => place - (places[at] ?? 0)));
        expect(nearest, `${minutes} min from ${first}`).toBeGreaterThanOrEqual(share * count);
      }
    }
  }
});

test('without buckets there are no labels', () => {
  expect(axisLabels({ bucket_seconds: 1800, buckets: [] }, 'UTC')).toEqual([]);
});
