import type { CompletedAttempt } from '../../domain/lanes/completed-attempt.ts';
import type { TakenDelivery } from '../../domain/lanes/read-taken-lanes.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Outcome } from './decide-outcome.ts';

/** An attempt with its result, and the lease under which it was made. */
type Attempted = {
  lane: { webhookId: number; accountId: string; lease: number };
  url: string;
  delivery: TakenDelivery;
  result: AttemptResult;
};

/** How an attempt is recorded. A test event has one, which says nothing about the receiver. */
export function toCompletedAttempt(attempted: Attempted, outcome: Outcome): CompletedAttempt {
  const { lane, url, delivery, result } = attempted;
  const { response, error } = result;
  return {
    ...lane,
    eventId: delivery.eventId,
    number: delivery.attemptCount + 1,
    becomes: delivery.isTest ? oneAttempt(outcome) : becomes(outcome),
    countsInSchedule:
      outcome.kind !== 'our_fault' && outcome.kind !== 'event_gone' && !isExtra(delivery, result),
    says: delivery.isTest ? 'nothing' : whatItSays(outcome, delivery),
    startedAt: result.startedAt,
    durationMs: result.durationMs,
    waitedMs: Math.max(0, result.startedAt.getTime() - delivery.dueAt.getTime()),
    firstByteMs: result.firstByteMs,
    url,
    statusCode: response?.statusCode ?? null,
    error,
    lastError: outcome.kind === 'delivered' ? null : inWords(result),
    requestHeaders: result.requestHeaders,
    responseHeaders: response?.headers ?? null,
    responseBody: response?.body ?? null,
    isResponseTruncated: response?.isTruncated ?? false,
  };
}

/** Whether an attempt was requested ahead of the schedule, and replaces none that was due. */
export function isExtra(
  { isRequested, scheduledAt }: Pick<TakenDelivery, 'isRequested' | 'scheduledAt'>,
  { startedAt }: Pick<AttemptResult, 'startedAt'>,
): boolean {
  return isRequested && scheduledAt !== null && scheduledAt > startedAt;
}

function oneAttempt(outcome: Outcome): CompletedAttempt['becomes'] {
  if (outcome.kind === 'event_gone') return { status: 'cancelled' };
  return { status: outcome.kind === 'delivered' ? 'delivered' : 'failed' };
}

function becomes(outcome: Outcome): CompletedAttempt['becomes'] {
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'delivered' };
    case 'retry':
    case 'our_fault':
      return { status: 'pending', dueAt: outcome.at };
    case 'give_up':
    case 'gone':
      return { status: 'failed' };
    case 'event_gone':
      return { status: 'cancelled' };
  }
}

function whatItSays(outcome: Outcome, { isRequested }: TakenDelivery): CompletedAttempt['says'] {
  switch (outcome.kind) {
    case 'delivered':
      return 'works';
    case 'retry':
    case 'give_up':
      // Pressing Retry while the receiver is down must not bring the deactivation closer.
      return isRequested ? 'nothing' : 'fails';
    case 'gone':
      return 'gone';
    case 'our_fault':
    case 'event_gone':
      return 'nothing';
  }
}

function inWords({ response, error }: AttemptResult): string {
  if (error) return error.message;
  return response
    ? `The receiver responded with ${response.statusCode}.`
    : 'There was no response.';
}
