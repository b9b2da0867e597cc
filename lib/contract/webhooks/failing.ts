/**
 * From when on an active webhook is said to fail, counted since its last success: after so many failed
 * attempts, or so long after the first. One failed attempt is normal: the first retry follows after 5
 * seconds.
 */
export const failingFrom = { attempts: 3, ms: 5 * 60_000 };

/**
 * Whether a webhook fails at `now`. Every page that says so decides by this, so that a webhook has the
 * same state everywhere.
 */
export function isFailing(
  webhook: { isActive: boolean; failureCount: number; failingSince: Date | null },
  now: Date,
): boolean {
  const { isActive, failureCount, failingSince: since } = webhook;
  if (!isActive || failureCount === 0) return false;
  if (failureCount >= failingFrom.attempts) return true;
  return since !== null && now.getTime() - since.getTime() >= failingFrom.ms;
}
