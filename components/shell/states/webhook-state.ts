import type { StatusMark } from '#components/ui/data-display/status.tsx';
import { isFailing as isFailingWith } from '#lib/contract/webhooks/failing.ts';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/** The state of a webhook in the word that the list, its filter, page and palette say. */
export type WebhookState = Webhook['status'] | 'failing';

/** The state of a webhook at `now`: its status, or that it is active and failing. */
export function webhookState(webhook: Webhook, now: Date): WebhookState {
  return isFailing(webhook, now) ? 'failing' : webhook.status;
}

type FoundWebhook = NonNullable<DeskResults['webhooks']['items'][number]['details']>;

/** The state of a webhook that the support desk found. */
export function foundWebhookState(found: FoundWebhook): WebhookState {
  return found.status === 'active' && found.is_failing ? 'failing' : found.status;
}

export const webhookStateLabels: Record<WebhookState, string> = {
  active: 'Active',
  failing: 'Failing',
  paused: 'Paused',
  deactivated: 'Deactivated',
  pending_setup: 'Set-up incomplete',
};

/** The icon next to the word. */
export const webhookStateMarks: Record<WebhookState, StatusMark> = {
  active: 'ok',
  failing: 'warning',
  paused: 'paused',
  deactivated: 'stopped',
  pending_setup: 'unfinished',
};

/** Whether an active webhook failed three times, or for five minutes, since its last success. */
export function isFailing(webhook: Webhook, now: Date): boolean {
  const { status, failure_count: failureCount, failing_since: since } = webhook;
  const failingSince = since === null ? null : new Date(since);
  return isFailingWith({ isActive: status === 'active', failureCount, failingSince }, now);
}
