import { expect, test } from 'vitest';
import { Rate } from './rate.ts';

const limits = { perSecond: 125, minPerSecond: 62.5, maxPerSecond: 250, burstMs: 40 };

/** How many can be taken in these milliseconds, tried once in each. */
function takenIn(rate: Rate, fromMs: number, untilMs: number): number {
  let taken = 0;
  for (let now = fromMs; now < untilMs; now += 1) if (rate.take(now)) taken += 1;
  return taken;
}

test('as many can be taken as the rate allows, also after it was changed and reset', () => {
  const rate = new Rate(limits, 0);
  expect(takenIn(rate, 1, 1001)).toBe(125);
  rate.changeBy(2);
  expect(takenIn(rate, 1001, 2001)).toBe(250);
  rate.reset();
  expect(takenIn(rate, 2001, 3001)).toBe(125);
});

test('the rate stays within its limits', () => {
  const rate = new Rate(limits, 0);
  rate.changeBy(0.1);
  expect(rate.perSecond).toBe(62.5);
  rate.changeBy(10);
  expect(rate.perSecond).toBe(250);
});

test('after a pause, a burst can be taken, but at least one', () => {
  const rate = new Rate(limits, 0);
  const taken = () => [1, 2, 3, 4, 5, 6, 7].filter(() => rate.take(10_000)).length;
  expect(taken()).toBe(5);
  const slow = new Rate({ ...limits, burstMs: 1 }, 0);
  expect([slow.take(10_000), slow.take(10_000)]).toEqual([true, false]);
});
