import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

/** A condition of a webhook that a person should know about and that often needs an action. */
export type WebhookCondition =
  | 'unfinished'
  | 'deactivated'
  | 'paused'
  | 'failing'
  | 'secret not shown'
  | 'two secrets';

/** The conditions of a webhook at `now`, the most urgent first; none if all is well. */
export function webhookConditions(webhook: Webhook, now: Date): WebhookCondition[] {
  if (webhook.status === 'pending_setup') return ['unfinished'];
  const conditions: WebhookCondition[] = webhook.status === 'active' ? [] : [webhook.status];
  if (isFailing(webhook)) conditions.push('failing');
  if (!webhook.secret.was_shown) conditions.push('secret not shown');
  if (hasPreviousSecret(webhook, now)) conditions.push('two secrets');
  return conditions;
}

/** Whether the webhook is active and its latest attempts failed. */
export function isFailing({ status, failure_count: failures }: Webhook): boolean {
  return status === 'active' && failures > 0;
}

/**
 * Whether the previous secret still signs at `now`. Its grace period may have ended after the
 * webhook was read.
 */
export function hasPreviousSecret({ secret }: Pick<Webhook, 'secret'>, now: Date): boolean {
  const end = secret.previous_valid_until;
  return end !== null && Date.parse(end) > now.getTime();
}

/**
 * The time after which a failed attempt deactivates the webhook; null if it is not known since when
 * it has been failing.
 */
export function deactivationTime({ failing_since: since }: Pick<Webhook, 'failing_since'>) {
  return since === null ? null : new Date(Date.parse(since) + 5 * DAY_MS);
}

const DAY_MS = 86_400_000;

/** Why a webhook was deactivated, as a sentence. */
export function deactivationReason(reason: string | null): string {
  switch (reason) {
    case null:
      return 'No reason was recorded.';
    case 'gone':
      return 'Its server answered 410 Gone.';
    case 'failing':
      return 'No attempt succeeded for 5 days.';
    default:
      return /[.!?]$/.test(reason) ? reason : `${reason}.`;
  }
}
