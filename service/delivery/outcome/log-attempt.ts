import type { TakenDelivery } from '../../domain/lanes/read-taken-lanes.ts';
import type { Logger } from '../../log/log.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Outcome } from './outcome.ts';

/** Logs one line about an attempt, without anything that was sent or received. */
export function logAttempt(
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
