import { expect, test } from 'vitest';

import { axisLabels } from './axis-labels.ts';

const HOUR_MS = 3_600_000;

function starts(first: string, hours: number, count: number): { start: string }[] {
  const from = Date.parse(first);
  return Array.from({ length: count }, (_, index) => ({
    start: new Date(from + index * hours * HOUR_MS).toISOString(),
  }));
}

function said(labels: ReturnType<typeof axisLabels>): [number, string][] {
  return labels.map(({ index, text }) => [index, text]);
}

const day = { window: '24h', buckets: starts('2026-11-19T12:00:00Z', 1, 24) } as const;

test('over a day every fourth hour of the reader’s clock is named', () => {
  expect(said(axisLabels(day, 'UTC'))).toEqual([
    [0, '19 Nov, 12:00'],
    [4, '16:00'],
    [8, '20:00'],
    [12, '00:00'],
    [16, '04:00'],
    [20, '08:00'],
  ]);
  expect(said(axisLabels(day, 'Europe/Berlin')).slice(0, 3)).toEqual([
    [0, '19 Nov, 13:00'],
    [7, '20:00'],
    [11, '00:00'],
  ]);
  expect(said(axisLabels(day, 'Asia/Kolkata'))[1]).toEqual([7, '00:30']);
});

test('over a week a day is named where its first bucket begins', () => {
  const week = { window: '7d', buckets: starts('2026-11-13T18:00:00Z', 6, 28) } as const;
  expect(said(axisLabels(week, 'UTC'))).toEqual([
    [0, '13 Nov'],
    [5, '15 Nov'],
    [9, '16 Nov'],
    [13, '17 Nov'],
    [17, '18 Nov'],
    [21, '19 Nov'],
  ]);
  expect(said(axisLabels(week, 'America/New_York'))[1]).toEqual([6, '15 Nov']);
});

test('over a month every fifth day is named', () => {
  const month = { window: '30d', buckets: starts('2026-10-22T00:00:00Z', 24, 30) } as const;
  expect(said(axisLabels(month, 'UTC'))).toEqual([
    [0, '22 Oct'],
    [5, '27 Oct'],
    [10, '1 Nov'],
    [15, '6 Nov'],
    [20, '11 Nov'],
    [25, '16 Nov'],
  ]);
});

test('at every hour of a day no two labels are nearer than four bars, on a phone six', () => {
  for (let hour = 0; hour < 24; hour += 1) {
    const first = new Date(Date.parse('2026-11-19T00:00:00Z') + hour * HOUR_MS).toISOString();
    const labels = axisLabels({ window: '24h', buckets: starts(first, 1, 24) }, 'UTC');
    for (const [shown, distance] of [
      [labels, 4],
      [labels.filter(({ isMinor }) => !isMinor), 6],
    ] as const) {
      const places = [...shown.map(({ index }) => index), 24];
      const nearest = Math.min(...places.slice(1).map((place, at) => place - (places[at] ?? 0)));
      expect(nearest, first).toBeGreaterThanOrEqual(distance);
    }
  }
});

test('without buckets there are no labels', () => {
  expect(axisLabels({ window: '24h', buckets: [] }, 'UTC')).toEqual([]);
});
