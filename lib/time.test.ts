import { describe, expect, test } from 'vitest';
import { dayMs } from './durations.ts';
import {
  formatApiTime,
  formatClock,
  formatCountdown,
  formatDay,
  formatDayMonth,
  formatDuration,
  formatExact,
  formatClockSeconds,
  formatExactSeconds,
  formatMilliseconds,
  formatMoment,
  formatRelative,
  formatRemaining,
  formatShort,
  formatSpan,
  formatZone,
} from './time.ts';

const berlin = 'Europe/Berlin';
const now = new Date('2026-11-20T11:28:00Z');

function before(seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}

describe('formatApiTime', () => {
  test.each([
    ['2026-11-20T10:29:17.123Z', '2026-11-20T10:29:17.123+00:00'],
    ['2026-11-20T10:29:17Z', '2026-11-20T10:29:17.000+00:00'],
    ['2026-11-20T12:29:17.5+02:00', '2026-11-20T10:29:17.500+00:00'],
    ['2026-11-20T00:00:00.009Z', '2026-11-20T00:00:00.009+00:00'],
    ['2026-11-20T23:59:59.999Z', '2026-11-20T23:59:59.999+00:00'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999+00:00'],
    ['2024-02-29T01:02:03.045Z', '2024-02-29T01:02:03.045+00:00'],
  ])('writes %s as UTC with an offset and never Z', (given, expected) => {
    expect(formatApiTime(new Date(given))).toBe(expected);
  });

  test('writes every moment as its ISO text, also after many other days', () => {
    for (let number = -2000; number < 2000; number += 1) {
      const date = new Date(number * dayMs * 13.37 + number);
      expect(formatApiTime(date)).toBe(date.toISOString().replace('Z', '+00:00'));
    }
  });

  test('refuses an invalid date', () => {
    expect(() => formatApiTime(new Date('nonsense'))).toThrow(RangeError);
  });
});

describe('formatRelative', () => {
  test.each([
    [0, 'Just now'],
    [4, 'Just now'],
    [-30, 'Just now'],
    [5, '5 s ago'],
    [12, '12 s ago'],
    [59, '59 s ago'],
    [60, '1 min ago'],
    [120, '2 min ago'],
    [3599, '59 min ago'],
    [3600, '1 h ago'],
    [3 * 3600, '3 h ago'],
    [86_399, '23 h ago'],
    [86_400, 'Yesterday'],
    [17 * 86_400, '3 Nov'],
    [366 * 86_400, '19 Nov 2025'],
    [-3600, '20 Nov, 13:28'],
    [-60 * 86_400, '19 Jan 2027'],
  ])('%i seconds before now reads %s', (seconds, expected) => {
    expect(formatRelative(before(seconds), now, berlin)).toBe(expected);
  });

  test('yesterday is a calendar day of the reader, not 24 to 48 hours', () => {
    const early = new Date('2026-11-20T00:30:00Z');
    const twoDaysBack = new Date('2026-11-18T23:30:00Z');
    expect(formatRelative(twoDaysBack, early, 'UTC')).toBe('18 Nov');
    expect(formatRelative(twoDaysBack, early, berlin)).toBe('Yesterday');
  });
});

describe('exact forms', () => {
  const at = new Date('2026-11-21T11:28:04Z');

  test('carry the zone', () => {
    expect(formatExact(at, berlin)).toBe('21 Nov 2026, 12:28 CET');
    expect(formatExact(at, 'UTC')).toBe('21 Nov 2026, 11:28 UTC');
    expect(formatExactSeconds(at, berlin)).toBe('21 Nov 2026, 12:28:04 CET');
  });

  test('follow summer time', () => {
    expect(formatExact(new Date('2026-07-01T10:00:00Z'), berlin)).toBe('1 Jul 2026, 12:00 CEST');
  });

  test('write every month with three letters and midnight as 00', () => {
    expect(formatExact(new Date('2026-09-01T00:00:00Z'), 'UTC')).toBe('1 Sep 2026, 00:00 UTC');
  });

  test('have shorter forms', () => {
    expect(formatShort(at, berlin)).toBe('21 Nov, 12:28');
    expect(formatMoment(at, berlin)).toBe('21 Nov, 12:28:04');
    expect(formatClockSeconds(at, berlin)).toBe('12:28:04');
    expect(formatDay(at, berlin)).toBe('21 Nov 2026');
    expect(formatDayMonth(at, berlin)).toBe('21 Nov');
    expect(formatClock(at, berlin)).toBe('12:28');
  });
});

describe('formatSpan', () => {
  test.each([
    ['2026-11-20T09:00:00Z', '2026-11-20T10:00:00Z', 'UTC', '20 Nov, 09:00 – 10:00'],
    ['2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z', 'UTC', '20 Nov, 23:00 – 24:00'],
    ['2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z', berlin, '21 Nov, 00:00 – 01:00'],
    ['2026-11-20T18:00:00Z', '2026-11-21T00:00:00Z', berlin, '20 Nov, 19:00 – 21 Nov, 01:00'],
    ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', 'UTC', '20 Nov'],
    ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', berlin, '20 Nov, 01:00 – 21 Nov, 01:00'],
    ['2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z', 'UTC', '31 Oct'],
  ])('from %s to %s in %s reads %s', (from, to, zone, expected) => {
    expect(formatSpan(new Date(from), new Date(to), zone)).toBe(expected);
  });
});

describe('formatMilliseconds', () => {
  test.each([
    [0, '0 ms'],
    [182.4, '182 ms'],
    [999, '999 ms'],
    [999.6, '1.00 s'],
    [1240, '1.24 s'],
    [9994, '9.99 s'],
    [9995, '10.0 s'],
    [15_000, '15.0 s'],
    [99_949, '99.9 s'],
    [99_950, '2 min'],
    [7_200_000, '2 h'],
    [-1, '0 ms'],
  ])('%d ms read %s', (milliseconds, expected) => {
    expect(formatMilliseconds(milliseconds)).toBe(expected);
  });
});

describe('formatDuration', () => {
  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [90, '1 minute 30 seconds'],
    [3600, '1 hour'],
    [5400, '1 hour 30 minutes'],
    [86_400, '24 hours'],
    [172_800, '2 days'],
    [604_800, '7 days'],
    [-5, '0 seconds'],
  ])('%i seconds read %s', (seconds, expected) => {
    expect(formatDuration(seconds)).toBe(expected);
  });
});

describe('formatRemaining', () => {
  test.each([
    [-10, '0 s'],
    [40, '40 s'],
    [200, '3 min'],
    [59.2, '1 min'],
    [89, '1 min'],
    [90, '2 min'],
    [3570, '1 h'],
    [78_360, '21 h 46 min'],
    [78_390, '21 h 47 min'],
    [86_400, '24 h'],
    [2 * 86_400 - 60, '47 h 59 min'],
    [2 * 86_400 - 20, '48 h'],
    [2 * 86_400, '2 days'],
    [4 * 86_400 + 50, '4 days'],
    [4 * 86_400 + 23 * 3600, '5 days'],
  ])('%i seconds ahead read %s', (seconds, expected) => {
    expect(formatRemaining(before(-seconds), now)).toBe(expected);
  });
});

describe('formatCountdown', () => {
  test.each([
    [47, '0:47'],
    [46.2, '0:47'],
    [0, '0:00'],
    [-3, '0:00'],
    [725, '12:05'],
    [3729, '1:02:09'],
  ])('%d seconds read %s', (seconds, expected) => {
    expect(formatCountdown(seconds)).toBe(expected);
  });
});

describe('formatZone', () => {
  test.each([
    ['2026-11-20T11:28:00Z', berlin, 'Central European Standard Time'],
    ['2026-07-20T11:28:00Z', berlin, 'Central European Summer Time'],
    ['2026-11-20T11:28:00Z', 'UTC', 'Coordinated Universal Time'],
  ])('%s in %s is called %s', (date, zone, expected) => {
    expect(formatZone(new Date(date), zone)).toBe(expected);
  });
});
