import { expect, test } from 'vitest';
import { alternate, median, ratioOf, samplesOf, spreadOf } from './sample.ts';

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[1, 2, 3, 10], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('there is no median of nothing', () => {
  expect(() => median([])).toThrow('no samples');
});

test.each([
  [{ value: 2, yardstick: 8 }, 0.25],
  [{ value: 2, yardstick: null }, null],
])('the ratio of %j is %d', (sample, expected) => {
  expect(ratioOf(sample)).toBe(expected);
});

test('the spread is half of the range, as a part of the median', () => {
  expect(spreadOf([0.9, 1, 1.3])).toBeCloseTo(0.2);
  expect(spreadOf([4])).toBe(0);
});

test('a yardstick is measured before and after each measurement, and its mean counts', async () => {
  const order: string[] = [];
  const yardsticks = [10, 20, 40, 60];
  const taken = await alternate(3, {
    async yardstick() {
      order.push('yardstick');
      return yardsticks.shift() ?? 0;
    },
    async measure() {
      order.push('measure');
      return 3;
    },
  });
  expect(order.join(' ')).toBe('yardstick measure yardstick measure yardstick measure yardstick');
  expect(samplesOf(taken, (figure) => figure)).toEqual([
    { value: 3, yardstick: 15 },
    { value: 3, yardstick: 30 },
    { value: 3, yardstick: 50 },
  ]);
});
