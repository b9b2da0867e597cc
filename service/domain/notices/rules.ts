import { mailKindOf } from '../../mail/mail-kinds.ts';
import type { MailKind } from '../../mail/mail-kinds.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { minuteMs } from '#lib/durations.ts';

/** How long a process has for a try that it began, before another takes over. */
export const leaseMs = 10 * minuteMs;

/** The waits between the tries of a notice: together a little more than two days. */
const pausesMs = [10, 30, 120, 480, 960, 1440].map((minutes) => minutes * minuteMs);

/** After so many tries a notice is given up. */
export const maxSendAttempts = pausesMs.length + 1;

/** When a notice that was tried so often is looked at again: to try it again, or to give it up. */
export function nextSendAttemptAfter(tries: number, now: Date): Date {
  return new Date(now.getTime() + (pausesMs[tries - 1] ?? leaseMs));
}

/** Whether somebody wants emails of this kind: they do unless they turned them off. */
export function wantsMail(turnedOff: readonly MailPreference[], kind: MailKind): boolean {
  const { preference } = mailKindOf(kind);
  return preference === null || !turnedOff.includes(preference);
}
