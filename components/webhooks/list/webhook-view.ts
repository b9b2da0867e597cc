import type { EventType } from '#lib/contract/events.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

export const statusChoices = ['any', 'active', 'paused', 'deactivated', 'pending_setup'] as const;

/** The choices of the filter of event types. */
export function eventChoicesOf(types: readonly EventType[]): WebhookView['event'][] {
  return ['any', ...types];
}

export const sortColumns = ['name', 'status', 'failures', 'triggered'] as const;

export type SortColumn = (typeof sortColumns)[number];

/** The sort order as it is in the URL: a column, with a minus for descending. */
export const sortChoices = [
  ...sortColumns,
  ...sortColumns.map((column) => `-${column}` as const),
] as const;

export type Sort = (typeof sortChoices)[number];

/** Search, filters and sort order of the list. */
export type WebhookView = {
  q: string;
  status: (typeof statusChoices)[number];
  event: 'any' | EventType;
  sort: Sort;
};

/** The webhooks that match a view, in its order. */
export function selectWebhooks(webhooks: readonly Webhook[], view: WebhookView): Webhook[] {
  return webhooks.filter((webhook) => isShown(webhook, view)).toSorted(ordering(view.sort));
}

export function isFiltered({ q, status, event }: WebhookView): boolean {
  return q.trim() !== '' || status !== 'any' || event !== 'any';
}

/** The direction in which the list is sorted by a column; undefined if it is sorted by another. */
export function sortDirection(
  sort: Sort,
  column: SortColumn,
): 'ascending' | 'descending' | undefined {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : undefined;
}

/**
 * The sort order after a press on a column's header: first its default direction, then the other.
 */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  const first: Sort = column === 'failures' || column === 'triggered' ? `-${column}` : column;
  if (sort !== first) return first;
  return first === column ? `-${column}` : column;
}

function isShown(webhook: Webhook, { q, status, event }: WebhookView): boolean {
  if (status !== 'any' && webhook.status !== status) return false;
  if (event !== 'any' && !webhook.events.includes(event)) return false;
  const wanted = q.trim().normalize('NFC').toLowerCase();
  return [webhook.name, webhook.url].some((text) => text.toLowerCase().includes(wanted));
}

type Comparison = (a: Webhook, b: Webhook) => number;

function ordering(sort: Sort): Comparison {
  const column = sort.replace('-', '') as SortColumn;
  const compare = comparisons[column];
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    // Webhooks that were never triggered come last in both directions.
    if (column === 'triggered' && (a.last_triggered_at === null) !== (b.last_triggered_at === null))
      return a.last_triggered_at === null ? 1 : -1;
    return sign * compare(a, b) || byName(a, b) || a.id - b.id;
  };
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byName: Comparison = (a, b) => names.compare(a.name, b.name);

const comparisons: Record<SortColumn, Comparison> = {
  name: byName,
  status: (a, b) => urgency(a) - urgency(b),
  failures: (a, b) => a.failure_count - b.failure_count,
  triggered: (a, b) => timeOf(a.last_triggered_at) - timeOf(b.last_triggered_at),
};

/** Webhooks that need attention come first. */
function urgency({ status, failure_count: failures }: Webhook): number {
  if (status === 'active') return failures > 0 ? 1 : 3;
  return { deactivated: 0, pending_setup: 2, paused: 4 }[status];
}

function timeOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}
