import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

/** A condition of a webhook that a person should know about and that often needs an action. */
export type WebhookCondition =
  | 'unfinished'
  | 'deactivated'
  | 'paused'
  | 'failing'
  | 'secret not shown'
  | 'secret unconfirmed'
  | 'two secrets';

/** The conditions of a webhook at `now`, the most urgent first; none if all is well. */
export function webhookConditions(webhook: Webhook, now: Date): WebhookCondition[] {
  const state = webhookState(webhook, now);
  if (state === 'pending_setup') return ['unfinished'];
  const conditions: WebhookCondition[] = state === 'active' ? [] : [state];
  if (!webhook.secret.was_shown) conditions.push('secret not shown');
  if (webhook.secret.unconfirmed) conditions.push('secret unconfirmed');
  if (hasPreviousSecret(webhook, now)) conditions.push('two secrets');
  return conditions;
}

/** The state of a webhook in the one word that the list, its filter and the page say. */
export type WebhookState = Webhook['status'] | 'failing';

/** The state of a webhook at `now`: its status, or that it is active and failing. */
export function webhookState(webhook: Webhook, now: Date): WebhookState {
  return isFailing(webhook, now) ? 'failing' : webhook.status;
}

export const webhookStateLabels: Record<WebhookState, string> = {
  active: 'Active',
  failing: 'Failing',
  paused: 'Paused',
  deactivated: 'Deactivated',
  pending_setup: 'Set-up unfinished',
};

/**
 * Whether an active webhook has failed three times, or for five minutes, since its last success. One
 * failed attempt is normal: the first retry follows after 5 seconds.
 */
export function isFailing(webhook: Webhook, now: Date): boolean {
  const { status, failure_count: failures, failing_since: since } = webhook;
  if (status !== 'active' || failures === 0) return false;
  if (failures >= FAILING_FROM_COUNT) return true;
  return since !== null && now.getTime() - Date.parse(since) >= FAILING_FROM_MS;
}

const FAILING_FROM_COUNT = 3;
const FAILING_FROM_MS = 5 * 60_000;

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
      return 'Its server responded with 410 Gone.';
    case 'failing':
      return 'No attempt succeeded for 5 days.';
    default:
      return /[.!?]$/.test(reason) ? reason : `${reason}.`;
  }
}

/** Why nothing is sent to a webhook, and what to do first; undefined for one that is active. */
export function inactiveReason({ status }: Pick<Webhook, 'status'>): string | undefined {
  if (status === 'active') return undefined;
  const first = status === 'pending_setup' ? 'Finish its set-up' : 'Resume it';
  return `The webhook is inactive, so nothing is sent to it. ${first} first.`;
}
