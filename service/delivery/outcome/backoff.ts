import { minuteMs } from '#lib/durations.ts';
import { retryJitter, retryWaitsMs } from '#service/domain/deliveries/retry-schedule.ts';

/**
 * How long to wait, in milliseconds, after `tries` failed attempts; null if there is no further
 * attempt.
 *
 * @param random returns numbers from 0 up to 1
 */
export function retryDelayMs(tries: number, random: () => number): number | null {
  const delay = retryWaitsMs[tries - 1];
  return delay === undefined ? null : spread(delay, random);
}

const maxInternalErrorDelayMs = 16 * minuteMs;

/**
 * How long to wait, in milliseconds, after an internal error, which does not count as an attempt.
 * The wait doubles with each, because an error that persists makes every pending delivery fail
 * repeatedly.
 */
export function internalErrorDelayMs(errorsBefore: number, random: () => number): number {
  return spread(Math.min(minuteMs * 2 ** errorsBefore, maxInternalErrorDelayMs), random);
}

function spread(delayMs: number, random: () => number): number {
  return Math.round(delayMs * (1 - retryJitter + 2 * retryJitter * random()));
}
