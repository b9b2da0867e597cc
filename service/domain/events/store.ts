import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { isCreatedWithin, isOnPage, orderOfPage } from '../../db/statements/list-page.ts';
import type { PagePosition } from '../../db/statements/list-page.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../account-id.ts';
import type { ResourceReference } from '../resource-reference.ts';
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

/** Up to `limit` matching events of a page of an account. */
export async function listEventRows(
  db: Db | Tx,
  accountId: AccountId,
  page: {
    type: EventRow['type'] | undefined;
    since: Date | undefined;
    until: Date | undefined;
    at: PagePosition;
    limit: number;
  },
): Promise<EventRow[]> {
  return await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        page.type && eq(events.type, page.type),
        isCreatedWithin(events, page),
        isOnPage(events, page.at),
      ),
    )
    .orderBy(...orderOfPage(events, page.at))
    .limit(page.limit);
}

export async function findEventRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<EventRow | null> {
  const [row] = await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        reference.kind === 'id' ? eq(events.id, reference.id) : eq(events.uuid, reference.uuid),
      ),
    );
  return row ?? null;
}

/** A webhook of the event's account, with the event's delivery to it, if there is one. */
export type WebhookOfEvent = {
  webhook: typeof webhooks.$inferSelect;
  delivery: typeof deliveries.$inferSelect | null;
};

export async function listWebhooksOfEvent(
  db: Db | Tx,
  event: Pick<EventRow, 'accountId' | 'id'>,
): Promise<WebhookOfEvent[]> {
  return await db
    .select({ webhook: webhooks, delivery: deliveries })
    .from(webhooks)
    .leftJoin(
      deliveries,
      and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.eventId, event.id)),
    )
    .where(eq(webhooks.accountId, event.accountId))
    .orderBy(asc(webhooks.id));
}
