import { hourMs, minuteMs } from '#lib/durations.ts';
import { listNames } from '#lib/list-names.ts';
import { formatDuration } from '#lib/time.ts';
import type { StoredDelivery } from './store/deliveries.ts';

/**
 * The waits after each failed attempt, in milliseconds. Their sum, 27.6 hours, outlasts a night and
 * the renewal of an expired certificate.
 */
export const retryWaitsMs = [
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const;

/** How much a wait varies either way, so that what failed together is retried apart. */
export const retryJitter = 0.2;

/** How often and when a delivery is retried, as the end of a sentence. */
export function describeRetries(): string {
  const waits = retryWaitsMs.map((ms) => formatDuration(ms / 1000));
  const list = listNames(waits, { most: waits.length });
  return `at most ${waits.length} times, after waits of ${list}, ± ${retryJitter * 100} %`;
}

type InSchedule = Pick<
  StoredDelivery,
  'status' | 'dueAt' | 'tries' | 'isRequested' | 'scheduledAt'
> & { isTest: boolean };

/**
 * How many attempts the schedule still has for a delivery, and when the last of them is made if all
 * fail. A requested attempt is extra, but the first attempt of a delivery that was finished starts
 * the schedule.
 *
 * @returns the time without the random part of each wait; null if no attempt is left
 */
export function restOfSchedule({
  status,
  dueAt,
  tries,
  isRequested,
  scheduledAt,
  isTest,
}: InSchedule): { attemptsLeft: number; lastAttemptAt: Date | null } {
  if (status !== 'pending' || dueAt === null) return { attemptsLeft: 0, lastAttemptAt: null };
  if (isTest) return { attemptsLeft: isRequested ? 0 : 1, lastAttemptAt: dueAt };
  const isStart = isRequested && scheduledAt === null;
  const attemptsLeft = Math.max(0, retryWaitsMs.length + 1 - tries - (isStart ? 1 : 0));
  if (attemptsLeft === 0) return { attemptsLeft, lastAttemptAt: null };
  const waits = retryWaitsMs.slice(tries).reduce((sum, ms) => sum + ms, 0);
  return { attemptsLeft, lastAttemptAt: new Date((scheduledAt ?? dueAt).getTime() + waits) };
}
