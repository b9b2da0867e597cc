import { deactivatedAfterMs, warnedAfterMs } from '#lib/contract/webhooks/failing.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { dayMs } from '#lib/durations.ts';

/** When a failed attempt deactivates the webhook; null if its first failure is unknown. */
export function deactivationTime({ failing_since: since }: Pick<Webhook, 'failing_since'>) {
  return since === null ? null : new Date(Date.parse(since) + deactivatedAfterMs);
}

/** When owners and admins are warned before that; empty if the first failure is unknown. */
export function warningTimes({ failing_since: since }: Pick<Webhook, 'failing_since'>): Date[] {
  if (since === null) return [];
  return warnedAfterMs.map((ms) => new Date(Date.parse(since) + ms));
}

/** Why a webhook was deactivated, as a sentence. */
export function deactivationReason(reason: string | null): string {
  switch (reason) {
    case null:
      return 'No reason was recorded.';
    case 'gone':
      return 'Its server responded with 410 Gone.';
    case 'failing':
      return `No attempt succeeded for ${deactivatedAfterMs / dayMs} days.`;
    default:
      return /[.!?]$/.test(reason) ? reason : `${reason}.`;
  }
}

/** Why no events are sent to a webhook, and what to do first; undefined for an active one. */
export function inactiveReason(
  { status }: Pick<Webhook, 'status'>,
  mayResume: boolean,
): string | undefined {
  if (status === 'active') return undefined;
  const isSetUp = status !== 'pending_setup';
  const first = mayResume
    ? `${isSetUp ? 'Resume it' : 'Finish its set-up'} first.`
    : `Ask an owner or admin to ${isSetUp ? 'resume it' : 'finish its set-up'}.`;
  return `The webhook is inactive, so no events are sent to it. ${first}`;
}
