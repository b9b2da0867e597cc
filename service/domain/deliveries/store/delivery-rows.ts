import { and, eq, getTableColumns } from 'drizzle-orm';
import { deliveries, events } from '../../../db/schema.ts';
import type { attempts } from '../../../db/schema.ts';

export type StoredDelivery = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

/** A delivery with what names its event. */
export type DeliveryRow = StoredDelivery & { eventUuid: string; eventCreatedAt: Date };

export const deliveryColumns = {
  ...getTableColumns(deliveries),
  eventUuid: events.uuid,
  eventCreatedAt: events.createdAt,
};

export function isItsEvent() {
  return and(eq(events.accountId, deliveries.accountId), eq(events.id, deliveries.eventId));
}
