import { expect, test } from 'vitest';
import { LaneWindow } from './lane-window.ts';

test('a lane halves its window with each time-out, down to one at a time', () => {
  const window = new LaneWindow(false);
  const sizes = [1, 2, 3].map(() => {
    expect(window.note('timeout')).toBe(0);
    return window.size;
  });
  expect(sizes).toEqual([4, 2, 1]);
});

test('a lane that times out one at a time pauses for longer and longer, a minute at most', () => {
  const window = new LaneWindow(true);
  window.note('timeout');
  const pauses = Array.from({ length: 8 }, () => window.note('timeout'));
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  window.note('success');
  window.note('timeout');
  expect(window.note('timeout')).toBe(2000);
});

test('a window grows back with successes, to 32', () => {
  const window = new LaneWindow(true);
  for (let count = 0; count < 100; count += 1) window.note('success');
  expect(window.size).toBe(32);
});

test('failures that are no time-outs leave the window as it is', () => {
  const window = new LaneWindow(false);
  expect(window.note('other')).toBe(0);
  expect(window.size).toBe(8);
});
