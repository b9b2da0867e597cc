import { isStatusCounted } from '#lib/contract/deliveries/counted-status.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { retryJitter, retryWaitsMs } from '#service/domain/deliveries/retry-schedule.ts';
import type { AttemptResult } from '../sending/attempt.ts';

export type Outcome =
  | { kind: 'delivered' }
  /** Retry at this time. */
  | { kind: 'retry'; at: Date }
  /** The schedule has no further attempt. */
  | { kind: 'give_up' }
  /** The receiver responded with 410: it wants no more events. */
  | { kind: 'gone' }
  /**
   * An internal error, not the receiver's: the attempt does not count. Metrics and logs have
   * `our_fault`, the database and the API `internal`; in names, both are an internal error.
   */
  | { kind: 'our_fault'; at: Date }
  /** The event is no longer stored, so it can never be sent. */
  | { kind: 'event_gone' };

const maxRetryAfterMs = dayMs;

/**
 * Decides what an attempt means for its delivery.
 *
 * A status counts if the response is complete, or if only we cut it off: a 200 with a page of 100
 * KiB is a delivery. If the response broke off or never ended, the receiver may not have the event,
 * so it is sent again.
 *
 * @param at `tries`: attempts since the delivery was last queued, this one included;
 *   `internalErrors`: attempts that were not counted because of internal errors, since then or
 *   since someone retried it; `scheduledAt`: when the schedule continues if this attempt is extra,
 *   otherwise null
 */
export function decideOutcome(
  result: Pick<AttemptResult, 'response' | 'error'>,
  at: {
    tries: number;
    internalErrors: number;
    scheduledAt?: Date | null;
    now: Date;
    random: () => number;
  },
): Outcome {
  const { now, random } = at;
  if (result.error?.kind === 'internal') {
    return { kind: 'our_fault', at: later(now, internalErrorDelayMs(at.internalErrors, random)) };
  }
  const status = responseStatus(result);
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };

  const delayMs = retryDelayMs(at.tries, random);
  const scheduled = at.scheduledAt ?? (delayMs === null ? null : later(now, delayMs));
  if (scheduled === null) return { kind: 'give_up' };
  const asked = askedFor(result, now);
  return { kind: 'retry', at: asked !== null && asked > scheduled ? asked : scheduled };
}

export type DecideOutcome = typeof decideOutcome;

function responseStatus({ response, error }: Pick<AttemptResult, 'response' | 'error'>) {
  return isStatusCounted(error?.kind ?? null) ? (response?.statusCode ?? null) : null;
}

/** The retry time that the receiver requests, at most a day ahead; null if it requests none. */
function askedFor({ response }: Pick<AttemptResult, 'response'>, now: Date): Date | null {
  if (response?.statusCode !== 429 && response?.statusCode !== 503) return null;
  const asked = parseRetryAfter(response.headers['retry-after'], now);
  const latest = later(now, maxRetryAfterMs);
  return asked !== null && asked > latest ? latest : asked;
}

function later(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

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
function internalErrorDelayMs(errorsBefore: number, random: () => number): number {
  return spread(Math.min(minuteMs * 2 ** errorsBefore, maxInternalErrorDelayMs), random);
}

function spread(delayMs: number, random: () => number): number {
  return Math.round(delayMs * (1 - retryJitter + 2 * retryJitter * random()));
}

/** `Retry-After` (RFC 9110, 10.2.3) in seconds or as a date; null: missing or invalid. */
function parseRetryAfter(value: string | undefined, now: Date): Date | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return new Date(now.getTime() + Number(text) * 1000);
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : new Date(date);
}

/** The only form that senders may use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
