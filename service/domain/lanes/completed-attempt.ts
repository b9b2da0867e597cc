/** An attempt as it is stored, and the next state of its delivery. */
export type CompletedAttempt = {
  webhookId: number;
  accountId: string;
  eventId: number;
  /** The lease under which its delivery was taken. */
  lease: number;
  number: number;
  becomes: { status: 'delivered' | 'failed' | 'cancelled' } | { status: 'pending'; dueAt: Date };
  /** Whether it counts as a step of the retry schedule. */
  countsInSchedule: boolean;
  /** What the attempt says about the receiver; tests and errors of this service say nothing. */
  says: 'works' | 'fails' | 'gone' | 'nothing';
  startedAt: Date;
  durationMs: number;
  waitedMs: number;
  firstByteMs: number | null;
  url: string;
  statusCode: number | null;
  error: { kind: string; message: string } | null;
  /** In words for people; null after a success. */
  lastError: string | null;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  isResponseTruncated: boolean;
};

/** Identifies an attempt. */
export type AttemptName = Pick<CompletedAttempt, 'webhookId' | 'eventId' | 'number' | 'startedAt'>;

/** A lane that is renewed, or released if `isReleased`. */
export type LaneToComplete = {
  webhookId: number;
  lease: number;
  isReleased: boolean;
  /** Whether its owner sends nothing more of it, so that it is released even if it changed. */
  hasEnded?: boolean;
};

/** How a batch of attempts moves a lane's counters. */
export type CounterChange = {
  /** Whether the batch contains a success, which resets the earlier counts. */
  hadSuccess: boolean;
  /** Failures since the last success of the batch, or in the whole batch if there is none. */
  failures: number;
  /** When the first of those failures was completed. */
  failingSince: Date | null;
  /** When the batch's latest attempt started; never in the future, even if a clock was set back. */
  lastStartedAt: Date | null;
};

/** @param attempts of one lane, in the order in which they ended */
export function counterChangeOf(attempts: readonly CompletedAttempt[], now: Date): CounterChange {
  const change: CounterChange = {
    hadSuccess: false,
    failures: 0,
    failingSince: null,
    lastStartedAt: null,
  };
  for (const { says, startedAt } of attempts) {
    const started = startedAt < now ? startedAt : now;
    if (!change.lastStartedAt || started > change.lastStartedAt) change.lastStartedAt = started;
    if (says === 'works') {
      change.hadSuccess = true;
      change.failures = 0;
      change.failingSince = null;
    } else if (says !== 'nothing') {
      change.failures += 1;
      change.failingSince ??= now;
    }
  }
  return change;
}
