import { mailKindOf } from '../../mail/mail-kinds.ts';
import type { MailKind } from '../../mail/mail-kinds.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { minuteMs } from '#lib/durations.ts';

/** How long a process has for an attempt to send, before another process takes over. */
export const leaseMs = 10 * minuteMs;

/** The waits between the attempts to send a notice: a little more than two days in total. */
const pausesMs = [10, 30, 120, 480, 960, 1440].map((minutes) => minutes * minuteMs);

/** After so many attempts a notice is given up. */
export const maxSendAttempts = pausesMs.length + 1;

/** When a notice after so many attempts is due again: to be tried again, or to be given up. */
export function nextSendAttemptAfter(attemptCount: number, now: Date): Date {
  return new Date(now.getTime() + (pausesMs[attemptCount - 1] ?? leaseMs));
}

/** Whether somebody gets emails of this kind, which is the case unless they turned them off. */
export function wantsMail(turnedOff: readonly MailPreference[], kind: MailKind): boolean {
  const { preference } = mailKindOf(kind);
  return preference === null || !turnedOff.includes(preference);
}
