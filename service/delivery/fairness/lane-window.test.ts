import { describe, expect, test } from 'vitest';
import { LaneWindow, type Ending } from './lane-window.ts';

const timeoutMs = 15_000;

/** A window after this many attempts with the same ending. */
function after(window: LaneWindow, count: number, ending: Ending, durationMs: number): LaneWindow {
  for (let noted = 0; noted < count; noted += 1) window.note(ending, durationMs);
  return window;
}

test('a lane halves its window with each time-out, down to one at a time', () => {
  const window = after(new LaneWindow(false), 100, 'success', 10);
  const sizes = [1, 2, 3, 4, 5].map(() => {
    // Earlier responses were fast, but the receiver can take no more now.
    expect(window.note('timeout', 100)).toBe(0);
    return window.size;
  });
  expect(sizes).toEqual([16, 8, 4, 2, 1]);
});

test('a lane that times out one at a time pauses for longer and longer, a minute at most', () => {
  const window = new LaneWindow(true);
  window.note('timeout', timeoutMs);
  const pauses = Array.from({ length: 8 }, () => window.note('timeout', timeoutMs));
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  window.note('success', 10);
  window.note('timeout', timeoutMs);
  expect(window.note('timeout', timeoutMs)).toBe(2000);
});

test('a window begins with two and grows by one with each success, to 32', () => {
  expect(new LaneWindow(false).size).toBe(2);
  expect(after(new LaneWindow(false), 3, 'success', 10).size).toBe(5);
  expect(after(new LaneWindow(true), 100, 'success', 10).size).toBe(32);
});

test('failures other than time-outs leave the window as it is', () => {
  const window = new LaneWindow(false);
  expect(window.note('other', 10)).toBe(0);
  expect(window.size).toBe(2);
});

describe('a slow response', () => {
  test.each<Ending>(['success', 'other'])('halves the window as a time-out does: %s', (ending) => {
    const window = after(new LaneWindow(false), 100, 'success', 10);
    expect(window.note(ending, 5000)).toBe(0);
    expect(window.size).toBeLessThanOrEqual(16);
    expect(after(window, 10, ending, 13_000).size).toBe(1);
  });

  test('makes no pause, since the receiver responded', () => {
    const window = new LaneWindow(false);
    const pauses = Array.from({ length: 10 }, () => window.note('success', 13_000));
    expect(new Set(pauses)).toEqual(new Set([0]));
  });

  test('leaves the window as it is if it is rare', () => {
    const window = after(new LaneWindow(false), 100, 'success', 10);
    window.note('success', 3000);
    expect(window.size).toBe(32);
  });

  test('is forgotten after some fast responses', () => {
    const window = after(new LaneWindow(false), 10, 'success', 13_000);
    expect(window.speed).toBe('slow');
    expect(after(window, 40, 'success', 10)).toMatchObject({ size: 32, speed: 'fast' });
  });
});

test.each([
  [10, 32, 'fast'],
  [1000, 32, 'fast'],
  [2000, 16, 'slow'],
  [4000, 8, 'slow'],
])('a receiver that takes %d ms to respond gets %d requests at a time', (ms, size, speed) => {
  expect(after(new LaneWindow(false), 100, 'success', ms)).toMatchObject({ size, speed });
});

test('a lane that fails counts as slow until its receiver responds', () => {
  expect(new LaneWindow(false).speed).toBe('unknown');
  expect(new LaneWindow(true).speed).toBe('slow');
  expect(after(new LaneWindow(true), 1, 'success', 10).speed).toBe('fast');
});
