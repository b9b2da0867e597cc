import { expect, test } from 'vitest';
import { chartMaximum } from './chart-maximum.ts';

test.each([
  [0, 2],
  [1, 2],
  [2, 4],
  [4, 6],
  [8, 10],
  [9, 12],
  [12, 20],
  [91, 120],
  [105, 150],
  [1_000_000, 1_200_000],
])('with a highest bar of %i, the maximum of the chart is %i', (highest, expected) => {
  expect(chartMaximum(highest)).toBe(expected);
});

test('the maximum is even and leaves about a sixth of the height for its label', () => {
  for (let highest = 5; highest < 20_000; highest += 7) {
    const bound = chartMaximum(highest);
    expect(bound % 2, String(highest)).toBe(0);
    expect(highest / bound, String(highest)).toBeLessThanOrEqual(5 / 6);
    expect(highest / bound, String(highest)).toBeGreaterThan(0.41);
  }
});
