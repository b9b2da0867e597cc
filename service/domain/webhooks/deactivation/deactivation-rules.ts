import { dayMs } from '#lib/durations.ts';

/** How long a webhook may fail before it is deactivated, and in how many attempts at least. */
const maxFailingMs = 5 * dayMs;
const minFailures = 10;

/** When its account is warned, counted from the first failure: at half time and a day ahead. */
const warningsAfterMs = [maxFailingMs / 2, maxFailingMs - dayMs] as const;

/** `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
export type DeactivationReason = 'gone' | 'failing';

type Failing = { failureCount: number; failingSince: Date | null };

/** Whether a webhook of which an attempt just failed has failed for too long. */
export function isDueForDeactivation({ failureCount, failingSince }: Failing, now: Date): boolean {
  return (
    failingSince !== null &&
    failureCount >= minFailures &&
    now.getTime() - failingSince.getTime() >= maxFailingMs
  );
}

/** The warnings there are, the last first: who fails since `failingBy` is to have had so many. */
export function dueWarnings(now: Date): { warningCount: number; failingBy: Date }[] {
  return warningsAfterMs
    .map((ms, index) => ({ warningCount: index + 1, failingBy: new Date(now.getTime() - ms) }))
    .toReversed();
}

/** When a webhook failing since then is deactivated, if it goes on failing. */
export function deactivationDate(failingSince: Date): Date {
  return new Date(failingSince.getTime() + maxFailingMs);
}
