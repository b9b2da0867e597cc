import type { EventType, TestEventType } from '#lib/contract/events.ts';
import type { DeliveryFilter } from '#lib/queries/deliveries.ts';

export const statusChoices = ['any', 'pending', 'failed', 'delivered'] as const;

/** The choices of the filter of event types. */
export function eventChoicesOf(types: readonly EventType[]): DeliveryView['event'][] {
  return ['any', ...types, 'webhook.test'];
}

export const sinceChoices = ['any', '1h', '24h', '7d'] as const;

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
    withinMs: since === 'any' ? undefined : WITHIN_MS[since],
  };
}

const HOUR_MS = 3_600_000;
const WITHIN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS };
