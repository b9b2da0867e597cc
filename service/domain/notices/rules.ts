import { mailKindOf } from '../../mail/mail-kinds.ts';
import type { MailKind } from '../../mail/mail-kinds.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';

const minuteMs = 60_000;

/**
 * How long after each try of a notice the next one comes. The first counts from the decision to send
 * it, and is also what a process has for that try before another takes over.
 */
const pausesMs = [10, 30, 120, 480, 1440].map((minutes) => minutes * minuteMs);

/** How long a process has for a try that it began. */
export const leaseMs = 10 * minuteMs;

/** After so many tries a notice is given up. */
export const mostTries = pausesMs.length;

/** When a notice is tried again after this many tries; the last pause holds for all beyond. */
export function nextTryAfter(tries: number, now: Date): Date {
  const pauseMs = pausesMs[Math.min(tries, mostTries) - 1] ?? leaseMs;
  return new Date(now.getTime() + pauseMs);
}

/** Whether somebody wants mails of this kind: they do unless they turned them off. */
export function wantsMail(turnedOff: readonly MailPreference[], kind: MailKind): boolean {
  const { preference } = mailKindOf(kind);
  return preference === null || !turnedOff.includes(preference);
}
