import { dayMs, minuteMs } from '#lib/durations.ts';

/** When an active webhook is failing. One failed attempt is normal: its retry follows after 5 s. */
export const failingFrom = { attempts: 3, ms: 5 * minuteMs };

/** How long a webhook can fail before it is deactivated, counted from its first failed attempt. */
export const deactivatedAfterMs = 5 * dayMs;

/** When its account is warned: after half of that time, and a day before it ends. */
export const warnedAfterMs = [deactivatedAfterMs / 2, deactivatedAfterMs - dayMs] as const;

/** Whether a webhook is failing at `now`; every page decides it with this. */
export function isFailing(
  webhook: { isActive: boolean; failureCount: number; failingSince: Date | null },
  now: Date,
): boolean {
  const { isActive, failureCount, failingSince: since } = webhook;
  if (!isActive || failureCount === 0) return false;
  if (failureCount >= failingFrom.attempts) return true;
  return since !== null && now.getTime() - since.getTime() >= failingFrom.ms;
}
