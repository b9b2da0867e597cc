import { deactivatedAfterMs, warnedAfterMs } from '#lib/contract/webhooks/failing.ts';

/** A webhook with fewer failed attempts is not deactivated, however long it has been failing. */
const minFailures = 10;

/** `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
export type DeactivationReason = 'gone' | 'failing';

type Failing = { failureCount: number; failingSince: Date | null };

/** Whether a webhook with a failed attempt has failed for too long. */
export function isDueForDeactivation({ failureCount, failingSince }: Failing, now: Date): boolean {
  return (
    failingSince !== null &&
    failureCount >= minFailures &&
    now.getTime() - failingSince.getTime() >= deactivatedAfterMs
  );
}

/**
 * All warnings, the last one first: a webhook that has been failing since `failingBy` should have
 * had `warningCount` of them.
 */
export function dueWarnings(now: Date): { warningCount: number; failingBy: Date }[] {
  return warnedAfterMs
    .map((ms, index) => ({ warningCount: index + 1, failingBy: new Date(now.getTime() - ms) }))
    .toReversed();
}

/** When a webhook that has been failing since this time is deactivated, if it keeps failing. */
export function deactivationDate(failingSince: Date): Date {
  return new Date(failingSince.getTime() + deactivatedAfterMs);
}
