import { randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { TakenDelivery } from '../../domain/lanes/read-taken-lanes.ts';
import type { Logger } from '../../log/log.ts';
import type { Ending } from '../fairness/lane-window.ts';
import type { HeldLane } from '../held-lane.ts';
import type { OpenSpan } from '../../tracing/tracing.ts';
import { endAttemptSpan } from '../attempt-span.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Completions } from '../completions.ts';
import type { DecideOutcome, Outcome } from './decide-outcome.ts';
import { isExtra, toCompletedAttempt } from './to-completed-attempt.ts';

type Recorder = {
  completions: Completions;
  decideOutcome: DecideOutcome;
  metrics: { countAttempt(outcome: Outcome['kind'], failure: string | null): void };
};

/**
 * Decides what the result of an attempt means, logs, counts and traces it, and passes it to
 * `completions`.
 */
export function recordResult(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  { completions, decideOutcome, metrics }: Recorder,
  {
    lane,
    span,
    ...attempt
  }: {
    lane: HeldLane;
    delivery: TakenDelivery;
    url: string;
    result: AttemptResult;
    span: OpenSpan | null;
  },
): Ending {
  const { delivery, result } = attempt;
  const outcome: Outcome =
    delivery.event === null
      ? { kind: 'event_gone' }
      : decideOutcome(result, {
          tries: delivery.tries + 1,
          internalErrors: delivery.internalErrors,
          scheduledAt: isExtra(delivery, result) ? delivery.scheduledAt : null,
          now: clock.now(),
          random,
        });
  logAttempt(log, lane, { delivery, result, outcome });
  if (span) endAttemptSpan(span, { result, outcome });
  metrics.countAttempt(outcome.kind, outcome.kind === 'delivered' ? null : failureOf(result));
  completions.add({
    lane,
    attempt: toCompletedAttempt({ lane: leaseOf(lane), ...attempt }, outcome),
  });
  if (outcome.kind === 'gone' && !delivery.isTest) lane.end();
  if (outcome.kind === 'delivered') return 'success';
  return result.error?.kind.endsWith('_timeout') ? 'timeout' : 'other';
}

/** The kind of the error, or the class of the status, such as `5xx`. */
function failureOf({ error, response }: AttemptResult): string | null {
  if (error) return error.kind;
  return response && `${Math.floor(response.statusCode / 100)}xx`;
}

/** From 0 up to 1. */
function random(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}

function leaseOf({ webhookId, accountId, lease }: HeldLane) {
  return { webhookId, accountId, lease };
}

/** Logs one line about an attempt, without anything that was sent or received. */
function logAttempt(
  log: Logger,
  lane: { accountId: string; webhookId: number },
  {
    delivery,
    result,
    outcome,
  }: { delivery: TakenDelivery; result: AttemptResult; outcome: Outcome },
): void {
  log[logLevels[outcome.kind]](
    {
      account_id: lane.accountId,
      webhook_id: lane.webhookId,
      event_uuid: delivery.event?.uuid ?? null,
      attempt: delivery.attemptCount + 1,
      outcome: outcome.kind,
      status_code: result.response?.statusCode ?? null,
      error: result.error,
      duration_ms: Math.round(result.durationMs),
      waited_ms: result.startedAt.getTime() - delivery.dueAt.getTime(),
    },
    'attempt',
  );
}

/** The log level of each outcome: internal errors stand out, failures of receivers do not. */
const logLevels = {
  delivered: 'debug',
  retry: 'info',
  give_up: 'info',
  gone: 'info',
  event_gone: 'warn',
  our_fault: 'error',
} as const satisfies Record<Outcome['kind'], string>;
