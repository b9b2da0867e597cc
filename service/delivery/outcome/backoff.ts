import { hourMs, minuteMs } from '#lib/durations.ts';

const secondMs = 1000;

/** After the first attempt: 27.6 hours in all, which outlasts a night and a forgotten certificate. */
const schedule = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const;

const jitter = 0.2;

/**
 * How long to wait, in milliseconds, for the attempt after `tries` failed ones; null if there is
 * none. Spread by 20 % to either side, so that what failed together does not come back together.
 *
 * @param random gives numbers from 0 up to 1
 */
export function retryDelayMs(tries: number, random: () => number): number | null {
  const delay = schedule[tries - 1];
  return delay === undefined ? null : spread(delay, random);
}

const maxFaultDelayMs = 16 * minuteMs;

/**
 * How long to wait, in milliseconds, after an internal error, which does not count as an attempt. The
 * wait doubles with each: an error that lasts fails everything that is pending, again and again.
 */
export function faultDelayMs(errorsBefore: number, random: () => number): number {
  return spread(Math.min(minuteMs * 2 ** errorsBefore, maxFaultDelayMs), random);
}

function spread(delayMs: number, random: () => number): number {
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random()));
}
