import { dayMs } from '#lib/durations.ts';

/**
 * How long a webhook can fail before it is deactivated, and the least number of failed attempts for
 * that.
 */
const maxFailingMs = 5 * dayMs;
const minFailures = 10;

/**
 * When its account is warned, counted from the first failure: after half of that time, and a day
 * before it ends.
 */
const warningsAfterMs = [maxFailingMs / 2, maxFailingMs - dayMs] as const;

/** `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
export type DeactivationReason = 'gone' | 'failing';

type Failing = { failureCount: number; failingSince: Date | null };

/** Whether a webhook with a failed attempt has failed for too long. */
export function isDueForDeactivation({ failureCount, failingSince }: Failing, now: Date): boolean {
  return (
    failingSince !== null &&
    failureCount >= minFailures &&
    now.getTime() - failingSince.getTime() >= maxFailingMs
  );
}

/**
 * All warnings, the last one first: a webhook that has been failing since `failingBy` should have
 * had `warningCount` of them.
 */
export function dueWarnings(now: Date): { warningCount: number; failingBy: Date }[] {
  return warningsAfterMs
    .map((ms, index) => ({ warningCount: index + 1, failingBy: new Date(now.getTime() - ms) }))
    .toReversed();
}

/** When a webhook that has been failing since this time is deactivated, if it keeps failing. */
export function deactivationDate(failingSince: Date): Date {
  return new Date(failingSince.getTime() + maxFailingMs);
}
