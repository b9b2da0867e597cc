import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';

export type StoredDelivery = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

/** A delivery with its event's uuid and creation time, and with its latest attempt. */
export type DeliveryRow = StoredDelivery & {
  eventUuid: string;
  eventCreatedAt: Date;
  lastAttemptAt: Date | null;
  lastDurationMs: number | null;
};

/** The columns of a `DeliveryRow` in a query that joins the event and, lateral, `latest`. */
export function deliveryColumns(latest: ReturnType<typeof latestAttemptOf>) {
  return {
    ...getTableColumns(deliveries),
    eventUuid: events.uuid,
    eventCreatedAt: events.createdAt,
    lastAttemptAt: latest.startedAt,
    lastDurationMs: latest.durationMs,
  };
}

/**
 * The latest attempt of each delivery, for a lateral join: the last entry of the delivery's range
 * in the key.
 */
export function latestAttemptOf(db: Db | Tx) {
  return db
    .select({ startedAt: attempts.startedAt, durationMs: attempts.durationMs })
    .from(attempts)
    .where(
      and(eq(attempts.webhookId, deliveries.webhookId), eq(attempts.eventId, deliveries.eventId)),
    )
    .orderBy(desc(attempts.id))
    .limit(1)
    .as('latest_attempt');
}

export function joinOnEvent() {
  return and(eq(events.accountId, deliveries.accountId), eq(events.id, deliveries.eventId));
}
