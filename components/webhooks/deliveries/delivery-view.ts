import {
  hasWindow,
  type TimeWindow,
  toTimeFilter,
} from '#components/shell/search/time-window/time-window.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { DeliveryFilter } from '#lib/queries/deliveries.ts';
import { timeSpanChoices, timeSpans } from '../time-spans.ts';
import { parseDeliverySearch } from './parse-delivery-search.ts';

export const statusChoices = [
  'any',
  'pending',
  'delivered',
  'retried',
  'failed',
  'cancelled',
] as const;

export function eventChoicesOf(types: readonly EventType[]): DeliveryView['event'][] {
  return ['any', ...types, 'webhook.test'];
}

/** Whether a replay sent them. */
export const replayedChoices = ['any', 'yes', 'no'] as const;

export const sinceChoices = ['any', ...timeSpanChoices] as const;

/** The filters of the table. */
export type DeliveryView = {
  /** The searched text; `parseDeliverySearch` parses it. */
  q: string;
  status: (typeof statusChoices)[number];
  event: 'any' | EventType | TestEventType;
  replayed: (typeof replayedChoices)[number];
  since: (typeof sinceChoices)[number];
  // In place of `since`:
} & TimeWindow;

export function isFiltered(view: DeliveryView): boolean {
  return view.status !== 'any' || isNarrowed(view);
}

/** Whether a filter besides the status is set. */
export function isNarrowed({ q, event, replayed, since, from, to }: DeliveryView): boolean {
  return (
    q.trim() !== '' ||
    event !== 'any' ||
    replayed !== 'any' ||
    since !== 'any' ||
    hasWindow({ from, to })
  );
}

export function toDeliveryFilter(view: DeliveryView): DeliveryFilter {
  const { status, event, replayed } = view;
  return {
    ...parseDeliverySearch(view.q),
    status: status === 'any' || status === 'retried' ? undefined : status,
    retried: status === 'retried' ? true : undefined,
    replayed: replayed === 'any' ? undefined : replayed === 'yes',
    type: event === 'any' ? undefined : event,
    ...toTimeFilter(view, timeSpans),
  };
}
