import { describe, expect, test } from 'vitest';
import { changeEnd, describeWindow } from './time-window.ts';

const from = new Date('2026-11-20T10:00:00.000Z');
const to = new Date('2026-11-20T11:00:00.000Z');

describe('an end of a time window', () => {
  test('is set to the time of its field', () => {
    const noon = { from: new Date('2026-11-20T12:30') };
    expect(changeEnd({ from, to: null }, 'from', '2026-11-20T12:30')).toEqual(noon);
  });

  test('is removed when its field is emptied, if the other end is set', () => {
    expect(changeEnd({ from, to }, 'from', '')).toEqual({ from: null });
    expect(changeEnd({ from, to }, 'to', '')).toEqual({ to: null });
  });

  test('is kept when its field is emptied, if it is the only one', () => {
    expect(changeEnd({ from, to: null }, 'from', '')).toEqual({});
    expect(changeEnd({ from: null, to }, 'to', '')).toEqual({});
  });
});

test.each([
  [{ from, to }, '20 Nov, 10:00 – 11:00'],
  [{ from, to: null }, 'Since 20 Nov, 10:00'],
  [{ from: null, to }, 'Before 20 Nov, 11:00'],
])('%j is said as %s', (view, words) => {
  expect(describeWindow(view, 'UTC')).toBe(words);
});
