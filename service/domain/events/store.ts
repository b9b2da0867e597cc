import { sql } from 'drizzle-orm';
import type { Tx } from '../../db/open.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { eventWithDeliveries } from './statements/event-with-deliveries.ts';

export type EventRow = typeof events.$inferSelect;
type NewEventRow = typeof events.$inferInsert;

export async function insertEvent(tx: Tx, row: NewEventRow): Promise<EventRow> {
  const [inserted] = await tx.insert(events).values(row).returning();
  if (!inserted) throw new Error('an inserted event was not returned');
  return inserted;
}

/**
 * Writes an event, and a delivery that is due immediately for each active webhook that subscribes
 * to its type, except for the webhook that the event is about. All in one statement.
 * @returns the webhooks' ids
 */
export async function insertEventWithDeliveries(tx: Tx, event: NewEventRow): Promise<number[]> {
  const { rows } = await tx.execute<{ webhook_id: number }>(sql`
    with ${eventWithDeliveries(sql`
      values (
        ${event.accountId}::uuid, ${event.uuid}::uuid, ${event.type}::text,
        ${event.conversationId ?? null}::bigint, ${event.aboutWebhookId ?? null}::integer,
        ${event.payload}::text,
        ${sqlInstant(event.createdAt)}
      )`)}
    select webhook_id from queued`);
  return rows.map((row) => row.webhook_id);
}
