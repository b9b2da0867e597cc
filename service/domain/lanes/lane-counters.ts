import type { SettledAttempt } from './settled-attempt.ts';

/** How a batch of attempts moves a lane's counters. */
export type CounterChange = {
  /** Whether it holds a success: then what was counted before it is forgotten. */
  hadSuccess: boolean;
  /** Failures since the last success of the batch, or in all of it. */
  failures: number;
  /** When the first of those settled. */
  failingSince: Date | null;
  /** When the latest of the batch started; never in the future, even if the clock went back. */
  lastStartedAt: Date | null;
};

/** @param attempts of one lane, in the order in which they ended */
export function countAttempts(attempts: readonly SettledAttempt[], now: Date): CounterChange {
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
