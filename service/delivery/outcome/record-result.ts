import { randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { TakenDelivery } from '../../domain/lanes/read-taken-lanes.ts';
import type { HeldLane } from '../held-lane.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Outcome } from './outcome.ts';
import type { Settler } from '../settler.ts';
import type { Ending } from '../fairness/lane-window.ts';
import type { DecideOutcome } from './decide-outcome.ts';
import { logAttempt } from './log-attempt.ts';
import { isExtra, toSettledAttempt } from './to-settled-attempt.ts';

type Recorder = {
  settler: Settler;
  decideOutcome: DecideOutcome;
  countAttempt: (outcome: Outcome['kind']) => void;
};

/** Decides what the result of an attempt means, logs and counts it, and hands it to the settler. */
export function recordResult(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  { settler, decideOutcome, countAttempt }: Recorder,
  {
    lane,
    ...attempt
  }: { lane: HeldLane; delivery: TakenDelivery; url: string; result: AttemptResult },
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
  countAttempt(outcome.kind);
  settler.add({ lane, attempt: toSettledAttempt({ lane: leaseOf(lane), ...attempt }, outcome) });
  if (outcome.kind === 'gone' && !delivery.isTest) lane.end();
  if (outcome.kind === 'delivered') return 'success';
  return result.error?.kind.endsWith('_timeout') ? 'timeout' : 'other';
}

/** From 0 up to 1. */
function random(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}

function leaseOf({ webhookId, accountId, lease }: HeldLane) {
  return { webhookId, accountId, lease };
}
