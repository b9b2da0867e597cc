import {
  type Comparison,
  compareInOrder,
  compareNames,
  compareTimes,
  type SortOrder,
} from '#components/ui/data-display/sort-order.ts';
import { matchesSearch } from '#components/shell/search/matches-search.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

export const statusChoices = ['any', 'active', 'paused', 'deactivated', 'pending_setup'] as const;

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

/** The webhooks that match a view, in its order. */
export function selectWebhooks(webhooks: readonly Webhook[], view: WebhookView): Webhook[] {
  return webhooks.filter((webhook) => isShown(webhook, view)).toSorted(ordering(view.sort));
}

export function isFiltered({ q, status, event }: WebhookView): boolean {
  return q.trim() !== '' || status !== 'any' || event !== 'any';
}

function isShown(webhook: Webhook, { q, status, event }: WebhookView): boolean {
  if (status !== 'any' && webhook.status !== status) return false;
  if (event !== 'any' && !webhook.events.includes(event)) return false;
  const { id, uuid, name, url } = webhook;
  return matchesSearch(q, { id, uuid, texts: [name, url] });
}

function ordering(sort: SortOrder<SortColumn>): Comparison<Webhook> {
  const compare = compareInOrder(sort, comparisons);
  const isByTrigger = sort === 'triggered' || sort === '-triggered';
  return (a, b) => {
    // Webhooks that were never triggered come last in both directions.
    if (isByTrigger && (a.last_triggered_at === null) !== (b.last_triggered_at === null))
      return a.last_triggered_at === null ? 1 : -1;
    return compare(a, b);
  };
}

const comparisons: Record<SortColumn, Comparison<Webhook>> = {
  name: compareNames,
  status: (a, b) => urgency(a) - urgency(b),
  failures: (a, b) => a.failure_count - b.failure_count,
  triggered: (a, b) => compareTimes(a.last_triggered_at, b.last_triggered_at),
};

/** Webhooks that need attention come first. */
function urgency({ status, failure_count: failures }: Webhook): number {
  if (status === 'active') return failures > 0 ? 1 : 3;
  return { deactivated: 0, pending_setup: 2, paused: 4 }[status];
}
