import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { judgeFigure, medianOf, percentileOf, type Figure } from './figures.ts';

const quiet = 0;
const busy = availableParallelism() + 1;

test.each<[string, Pick<Figure, 'value' | 'unit'>, number, ReturnType<typeof judgeFigure>]>([
  ['a time within its target', { value: 100, unit: 'ms' }, busy, 'met'],
  ['a time a little over it', { value: 120, unit: 'ms' }, quiet, 'met'],
  ['a time far over it', { value: 130, unit: 'ms' }, quiet, 'missed'],
  ['a time over it on a busy machine', { value: 130, unit: 'ms' }, busy, null],
  ['a ratio over it on a busy machine', { value: 130, unit: 'times' }, busy, null],
  ['one frame too many', { value: 101, unit: 'frames' }, busy, 'missed'],
  ['a page that moved', { value: 101, unit: 'shift' }, busy, 'missed'],
])('%s', (_, figure, load, verdict) => {
  expect(judgeFigure({ what: 'a page', max: 100, ...figure }, load)).toBe(verdict);
});

test('the median and the p99 are measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(medianOf(values)).toBe(51);
  expect(percentileOf(values, 0.99)).toBe(100);
  expect(() => medianOf([])).toThrow('Nothing was measured.');
});
