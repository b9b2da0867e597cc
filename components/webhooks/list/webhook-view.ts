import {
  compareInOrder,
  type SortOrder,
  type SortValue,
  timeValue,
} from '#components/ui/data-display/sort-order.ts';
import { isWebhookFound } from '#components/shell/search/searched-nouns.ts';
import { type WebhookState, webhookState } from '#components/shell/states/webhook-state.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

export const statusChoices = [
  'any',
  'active',
  'failing',
  'paused',
  'deactivated',
  'pending_setup',
] as const satisfies readonly ('any' | WebhookState)[];

export function eventChoicesOf(types: readonly EventType[]): WebhookView['event'][] {
  return ['any', ...types];
}

export const sortColumns = ['name', 'status', 'failures', 'triggered'] as const;

export type SortColumn = (typeof sortColumns)[number];

/** Search, filters and sort order of the list. */
export type WebhookView = {
  q: string;
  status: (typeof statusChoices)[number];
  event: 'any' | EventType;
  sort: SortOrder<SortColumn>;
};

/** The webhooks that match a view at `now`, in its order. */
export function selectWebhooks(
  webhooks: readonly Webhook[],
  view: WebhookView,
  now: Date,
): Webhook[] {
  return webhooks
    .filter((webhook) => isShown(webhook, view, now))
    .toSorted(compareInOrder(view.sort, sortValues(now)));
}

export function isFiltered({ q, status, event }: WebhookView): boolean {
  return q.trim() !== '' || status !== 'any' || event !== 'any';
}

function isShown(webhook: Webhook, { q, status, event }: WebhookView, now: Date): boolean {
  if (!matchesStatus(webhook, status, now)) return false;
  if (event !== 'any' && !webhook.events.includes(event)) return false;
  return isWebhookFound(q, webhook);
}

/** Whether a status is true of a webhook, whatever else is: one that fails is active too. */
function matchesStatus(webhook: Webhook, status: WebhookView['status'], now: Date): boolean {
  return status === 'any' || webhook.status === status || webhookState(webhook, now) === status;
}

function sortValues(now: Date): Record<SortColumn, SortValue<Webhook>> {
  return {
    name: ({ name }) => name,
    status: (webhook) => urgency[webhookState(webhook, now)],
    failures: ({ failure_count: failures }) => failures,
    triggered: ({ last_triggered_at: triggered }) => timeValue(triggered),
  };
}

/** Webhooks that need attention come first. */
const urgency: Record<WebhookState, number> = {
  deactivated: 0,
  failing: 1,
  pending_setup: 2,
  active: 3,
  paused: 4,
};
