import {
  type Comparison,
  compareInOrder,
  compareNames,
  compareTimes,
  type SortOrder,
} from '#components/ui/data-display/sort-order.ts';
import { isWebhookFound } from '#components/shell/search/searched-nouns.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

import { type WebhookState, webhookState } from '../webhook-conditions.ts';

export const statusChoices = [
  'any',
  'active',
  'failing',
  'paused',
  'deactivated',
  'pending_setup',
] as const satisfies readonly ('any' | WebhookState)[];

/** The choices of the filter of event types. */
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
    .toSorted(ordering(view.sort, now));
}

export function isFiltered({ q, status, event }: WebhookView): boolean {
  return q.trim() !== '' || status !== 'any' || event !== 'any';
}

function isShown(webhook: Webhook, { q, status, event }: WebhookView, now: Date): boolean {
  if (status !== 'any' && webhookState(webhook, now) !== status) return false;
  if (event !== 'any' && !webhook.events.includes(event)) return false;
  return isWebhookFound(q, webhook);
}

function ordering(sort: SortOrder<SortColumn>, now: Date): Comparison<Webhook> {
  const compare = compareInOrder(sort, comparisonsAt(now));
  const isByTrigger = sort === 'triggered' || sort === '-triggered';
  return (a, b) => {
    // Webhooks that were never triggered come last in both directions.
    if (isByTrigger && (a.last_triggered_at === null) !== (b.last_triggered_at === null))
      return a.last_triggered_at === null ? 1 : -1;
    return compare(a, b);
  };
}

function comparisonsAt(now: Date): Record<SortColumn, Comparison<Webhook>> {
  const urgencyOf = (webhook: Webhook) => URGENCY[webhookState(webhook, now)];
  return {
    name: compareNames,
    status: (a, b) => urgencyOf(a) - urgencyOf(b),
    failures: (a, b) => a.failure_count - b.failure_count,
    triggered: (a, b) => compareTimes(a.last_triggered_at, b.last_triggered_at),
  };
}

/** Webhooks that need attention come first. */
const URGENCY: Record<WebhookState, number> = {
  deactivated: 0,
  failing: 1,
  pending_setup: 2,
  active: 3,
  paused: 4,
};
