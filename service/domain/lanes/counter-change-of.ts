import type { SettledAttempt } from './settled-attempt.ts';

/** How a batch of attempts moves a lane's counters. */
export type CounterChange = {
  /** Whether the batch contains a success, which resets the earlier counts. */
  hadSuccess: boolean;
  /** Failures since the last success of the batch, or in the whole batch if there is none. */
  failures: number;
  /** When the first of those failures was settled. */
  failingSince: Date | null;
  /**
   * When the latest attempt of the batch started; never in the future, even if the clock was set
   * back.
   */
  lastStartedAt: Date | null;
};

/** @param attempts of one lane, in the order in which they ended */
export function counterChangeOf(attempts: readonly SettledAttempt[], now: Date): CounterChange {
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
