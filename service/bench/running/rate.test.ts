import { expect, test } from 'vitest';
import { ratesToRow } from './rate.ts';
import type { Rate } from './rate.ts';

const yardstick: Rate = { perSecond: 100, processorUs: 10 };
const taken = (processorUs: number | null) => ({
  measured: { perSecond: 25, processorUs },
  before: yardstick,
  after: yardstick,
});

test('the ratio by processor time is higher if each act takes less', () => {
  expect(ratesToRow([taken(20), taken(40), taken(100)])).toEqual({
    samples: Array.from({ length: 3 }, () => ({ value: 25, yardstick: 100 })),
    figures: { 'µs of processor': 40, 'ratio by processor': 0.25 },
  });
});

test('there are no figures for an unknown processor time', () => {
  expect(ratesToRow([taken(null)]).figures).toEqual({});
});
