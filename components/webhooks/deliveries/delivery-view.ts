import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { DeliveryFilter } from '#lib/queries/deliveries.ts';

import { formatApiTime } from '#lib/time.ts';

import { timeSpanChoices, timeSpans } from '../time-spans.ts';
import { parseDeliverySearch } from './parse-delivery-search.ts';

export const statusChoices = ['any', 'pending', 'delivered', 'retried', 'failed'] as const;

/** The choices of the filter of event types. */
export function eventChoicesOf(types: readonly EventType[]): DeliveryView['event'][] {
  return ['any', ...types, 'webhook.test'];
}

export const sinceChoices = ['any', ...timeSpanChoices] as const;

/** The filters of the table. */
export type DeliveryView = {
  /** What is searched for; `parseDeliverySearch` understands it. */
  q: string;
  status: (typeof statusChoices)[number];
  event: 'any' | EventType | TestEventType;
  since: (typeof sinceChoices)[number];
  /** A window of time in place of `since`; null is open. */
  from: Date | null;
  to: Date | null;
};

export function isFiltered(view: DeliveryView): boolean {
  return view.status !== 'any' || isNarrowed(view);
}

/** Whether a filter besides the status is set. */
export function isNarrowed({ q, event, since, from, to }: DeliveryView): boolean {
  return q.trim() !== '' || event !== 'any' || since !== 'any' || hasWindow({ from, to });
}

/** Whether the view shows a window of time of its own. */
export function hasWindow({ from, to }: Pick<DeliveryView, 'from' | 'to'>): boolean {
  return from !== null || to !== null;
}

/**
 * Sets an end of the window to the value of a `datetime-local` field. The field is empty while a part
 * of it is: the last end that is set stays, because without any there is no window.
 */
export function changeEnd(
  view: Pick<DeliveryView, 'from' | 'to'>,
  end: 'from' | 'to',
  value: string,
): Partial<DeliveryView> {
  const time = value === '' ? null : new Date(value);
  if (time !== null && Number.isNaN(time.getTime())) return {};
  const changed = { from: view.from, to: view.to, [end]: time };
  return hasWindow(changed) ? { [end]: time } : {};
}

export function toDeliveryFilter(view: DeliveryView): DeliveryFilter {
  const { status, event, from, to } = view;
  const since = hasWindow(view) ? 'any' : view.since;
  return {
    ...parseDeliverySearch(view.q),
    status: status === 'any' || status === 'retried' ? undefined : status,
    retried: status === 'retried' ? true : undefined,
    type: event === 'any' ? undefined : event,
    withinMs: since === 'any' ? undefined : timeSpans[since].milliseconds,
    since: from === null ? undefined : formatApiTime(from),
    until: to === null ? undefined : formatApiTime(to),
  };
}
