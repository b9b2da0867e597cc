import { isStatusCounted } from '#lib/contract/deliveries/counted-status.ts';
import { dayMs } from '#lib/durations.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Outcome } from './outcome.ts';
import { internalErrorDelayMs, retryDelayMs } from './backoff.ts';
import { parseRetryAfter } from './retry-after.ts';

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
 *   since somebody retried it; `scheduledAt`: when the schedule continues if this attempt is extra,
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
