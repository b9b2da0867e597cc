import { countOf } from './count.ts';
import { dayMs, daySeconds, hourSeconds, minuteMs, minuteSeconds } from './durations.ts';

/**
 * The API's one way to write a moment: `2026-11-20T10:29:17.123+00:00`.
 * Always UTC, always milliseconds, always a numeric offset, never `Z`.
 */
export function formatApiTime(date: Date): string {
  return `${date.toISOString().slice(0, -'Z'.length)}+00:00`;
}

/** The value of a `datetime-local` field, in the reader's time zone: `2026-11-20T10:29`. */
export function formatDateTimeLocal(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * minuteMs);
  return local.toISOString().slice(0, 16);
}

/**
 * When a day such as `2026-11-20`, or the day `daysLater` days after it, begins in the reader's time zone; null
 * if the date does not exist.
 */
export function startOfDay(day: string, daysLater = 0): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const start = new Date(`${day}T00:00`);
  // JavaScript continues 30 February in March.
  if (start.getDate() !== Number(day.slice(-2))) return null;
  // Not by adding hours: a day has 23 or 25 where clocks change.
  start.setDate(start.getDate() + daysLater);
  return start;
}

/**
 * A relative time, for activity: `Just now`, `12 s ago`, `2 min ago`, `3 h ago`, `Yesterday`, `3
 * Nov`, `3 Nov 2025`. If the reader's clock is behind, so that the time seems to be in the future:
 * `21 Nov, 12:28`, which is no wider.
 */
export function formatRelative(date: Date, now: Date, zone?: string): string {
  const seconds = Math.floor((now.getTime() - date.getTime()) / 1000);
  const isSameYear = () => parts(date, zone).year === parts(now, zone).year;
  if (seconds <= -minuteSeconds)
    return isSameYear() ? formatShort(date, zone) : formatDay(date, zone);
  // A clock that runs a little ahead of ours is not the future.
  if (seconds < 5) return 'Just now';
  if (seconds < minuteSeconds) return `${seconds} s ago`;
  if (seconds < hourSeconds) return `${Math.floor(seconds / minuteSeconds)} min ago`;
  if (seconds < daySeconds) return `${Math.floor(seconds / hourSeconds)} h ago`;
  if (dayNumber(now, zone) - dayNumber(date, zone) === 1) return 'Yesterday';
  return isSameYear() ? formatDayMonth(date, zone) : formatDay(date, zone);
}

/** For things that matter: `21 Nov 2026, 12:28 CET`. Without a zone, the reader's own. */
export function formatExact(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month} ${at.year}, ${at.hour}:${at.minute} ${at.zone}`;
}

/** The same to the second: `21 Nov 2026, 12:28:04 CET`. */
export function formatExactSeconds(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month} ${at.year}, ${at.hour}:${at.minute}:${at.second} ${at.zone}`;
}

/** `21 Nov, 12:28`, for a second line if the exact value is shown elsewhere. */
export function formatShort(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month}, ${at.hour}:${at.minute}`;
}

/** `21 Nov, 12:28:04`, for what happens seconds apart. */
export function formatMoment(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month}, ${at.hour}:${at.minute}:${at.second}`;
}

/** `12:28:04`, below a time that has the day. */
export function formatClockSeconds(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.hour}:${at.minute}:${at.second}`;
}

/** `21 Nov 2026`. */
export function formatDay(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month} ${at.year}`;
}

/** `21 Nov`, where the year is obvious. */
export function formatDayMonth(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.day} ${at.month}`;
}

/** `12:28`, 24-hour clock. */
export function formatClock(date: Date, zone?: string): string {
  const at = parts(date, zone);
  return `${at.hour}:${at.minute}`;
}

/** The zone that holds at a moment, in words: `Central European Standard Time`. */
export function formatZone(date: Date, zone?: string): string {
  const words = new Intl.DateTimeFormat('en-GB', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    timeZoneName: 'long',
  });
  return words.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/**
 * From one moment to another: `20 Nov, 10:00 – 11:00`, `20 Nov, 23:00 – 24:00`, `20 Nov` for a
 * whole day, `20 Nov, 01:00 – 21 Nov, 01:00`.
 */
export function formatSpan(from: Date, to: Date, zone?: string): string {
  const days = dayNumber(to, zone) - dayNumber(from, zone);
  const endsAtMidnight = days === 1 && formatClock(to, zone) === '00:00';
  if (endsAtMidnight && formatClock(from, zone) === '00:00') return formatDayMonth(from, zone);
  const end = days === 0 ? formatClock(to, zone) : formatShort(to, zone);
  return `${formatShort(from, zone)} – ${endsAtMidnight ? '24:00' : end}`;
}

/** How long a response took or a delivery waited: `182 ms`, `1.24 s`, `15.0 s`, `3 min`, `2 h`. */
export function formatMilliseconds(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1000) return `${whole} ms`;
  // Three digits distinguish such times; from 9,995 ms on, two decimals would read 10.00.
  if (whole < 9995) return `${(whole / 1000).toFixed(2)} s`;
  if (whole < 99_950) return `${(whole / 1000).toFixed(1)} s`;
  const minutes = Math.round(whole / minuteMs);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/**
 * A duration in words: `24 hours`, `7 days`, `1 hour`, `1 hour 30 minutes`. One day is written as
 * 24 hours, because a grace period is counted in hours, not in dates.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minuteSeconds) return countOf(whole, 'second');
  if (whole < hourSeconds) return twoUnits(whole, [minuteSeconds, 'minute'], [1, 'second']);
  if (whole < 2 * daySeconds)
    return twoUnits(whole, [hourSeconds, 'hour'], [minuteSeconds, 'minute']);
  return twoUnits(whole, [daySeconds, 'day'], [hourSeconds, 'hour']);
}

/**
 * The time left until a deadline, short and rounded to the nearest unit: `4 days`, `21 h 46 min`,
 * `3 min`, `40 s`; `0 s` once it has passed. Below 48 hours it is counted in hours.
 */
export function formatRemaining(date: Date, now: Date): string {
  const seconds = Math.max(0, Math.ceil((date.getTime() - now.getTime()) / 1000));
  if (seconds < minuteSeconds) return `${seconds} s`;
  if (seconds >= 2 * daySeconds) return countOf(Math.round(seconds / daySeconds), 'day');
  const minutes = Math.round(seconds / minuteSeconds);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`;
}

/** A countdown: `0:47`, `12:05`, `1:02:09`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / hourSeconds);
  const minutes = Math.floor((whole % hourSeconds) / minuteSeconds);
  const rest = String(whole % minuteSeconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

type Unit = readonly [seconds: number, word: string];

function twoUnits(seconds: number, large: Unit, small: Unit): string {
  const first = Math.floor(seconds / large[0]);
  const second = Math.floor((seconds % large[0]) / small[0]);
  const words = countOf(first, large[1]);
  return second > 0 ? `${words} ${countOf(second, small[1])}` : words;
}

type Parts = {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  zone: string;
};

function parts(date: Date, zone: string | undefined): Parts {
  const found = new Map(
    formatter(zone)
      .formatToParts(date)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? '';
  return {
    year: part('year'),
    // en-GB writes September with four letters.
    month: part('month').slice(0, 3),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    zone: part('timeZoneName'),
  };
}

function dayNumber(date: Date, zone: string | undefined): number {
  const at = parts(date, zone);
  return Math.round(Date.parse(`${at.day} ${at.month} ${at.year} 00:00:00 GMT`) / dayMs);
}

// Creating a formatter takes much longer than using one.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string | undefined): Intl.DateTimeFormat {
  const key = zone ?? '';
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  formatters.set(key, made);
  return made;
}
