import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { judgeFigure, medianOf, percentileOf, type Figure } from './figures.ts';

const quiet = 0;
const busy = availableParallelism() + 1;

test.each<[string, ReturnType<typeof judgeFigure>, Pick<Figure, 'value' | 'unit'>, number]>([
  ['a time within its target', 'met', { value: 100, unit: 'ms' }, busy],
  ['a time a little over it', 'met', { value: 120, unit: 'ms' }, quiet],
  ['a time far over it', 'missed', { value: 130, unit: 'ms' }, quiet],
  ['a time over it on a busy machine', null, { value: 130, unit: 'ms' }, busy],
  ['a ratio over it on a busy machine', null, { value: 130, unit: 'times' }, busy],
  ['one frame too many', 'missed', { value: 101, unit: 'frames' }, busy],
  ['a page that moved', 'missed', { value: 101, unit: 'shift' }, busy],
])('the verdict on %s is %s', (_, verdict, figure, load) => {
  expect(judgeFigure({ what: 'a page', max: 100, ...figure }, load)).toBe(verdict);
});

test('the median and the p99 are measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(medianOf(values)).toBe(51);
  expect(percentileOf(values, 0.99)).toBe(100);
  expect(() => medianOf([])).toThrow('Nothing was measured.');
});
