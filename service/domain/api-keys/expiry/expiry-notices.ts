import { dayMs } from '#lib/durations.ts';

/** When the expiry of a key is announced: 7 days before, 1 day before, and when it has expired. */
const noticesBeforeMs = [7 * dayMs, dayMs, 0] as const;

/** How many of these moments have passed at `now`; none for a key that does not expire. */
export function passedNotices(expiresAt: Date | null, now: Date): number {
  if (expiresAt === null) return 0;
  const leftMs = expiresAt.getTime() - now.getTime();
  return noticesBeforeMs.filter((beforeMs) => leftMs <= beforeMs).length;
}

/**
 * Each number of notices, with the latest expiry for which it is due: keys that expire by then and
 * had fewer than `notices` notices need one.
 */
export function dueExpiries(now: Date): { notices: number; expiresBy: Date }[] {
  return noticesBeforeMs.map((beforeMs, index) => ({
    notices: index + 1,
    expiresBy: new Date(now.getTime() + beforeMs),
  }));
}
