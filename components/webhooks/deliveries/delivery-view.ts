import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { DeliveryFilter } from '#lib/queries/deliveries.ts';

import { timeSpanChoices, timeSpans } from '../time-spans.ts';

export const statusChoices = ['any', 'pending', 'failed', 'delivered'] as const;

/** The choices of the filter of event types. */
export function eventChoicesOf(types: readonly EventType[]): DeliveryView['event'][] {
  return ['any', ...types, 'webhook.test'];
}

export const sinceChoices = ['any', ...timeSpanChoices] as const;

/** The filters of the table. */
export type DeliveryView = {
  status: (typeof statusChoices)[number];
  event: 'any' | EventType | TestEventType;
  since: (typeof sinceChoices)[number];
};

export function isFiltered({ status, event, since }: DeliveryView): boolean {
  return status !== 'any' || event !== 'any' || since !== 'any';
}

export function toDeliveryFilter({ status, event, since }: DeliveryView): DeliveryFilter {
  return {
    status: status === 'any' ? undefined : status,
    type: event === 'any' ? undefined : event,
    withinMs: since === 'any' ? undefined : timeSpans[since].milliseconds,
  };
}
