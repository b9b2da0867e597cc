import { sql, type SQL } from 'drizzle-orm';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import type { Tx } from '../../db/open.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { rowsFrom } from '../../db/statements/rows-from.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { eventWithDeliveries, filteredWebhooks } from './statements/event-with-deliveries.ts';

export type EventRow = typeof events.$inferSelect;
type NewEventRow = typeof events.$inferInsert;

export async function insertEvent(tx: Tx, row: NewEventRow): Promise<EventRow> {
  const [inserted] = await tx.insert(events).values(row).returning();
  if (!inserted) throw new Error('an inserted event was not returned');
  return inserted;
}

/** A webhook that would get an event, if its filter lets it through. */
export type FilteredWebhook = { eventId: number; webhookId: number; filter: FilterRule };

/**
 * Writes an event, and a delivery that is due immediately for each active webhook without a filter
 * that subscribes to its type, except for the webhook that the event is about. All in one statement.
 * @returns the ids of these webhooks, and those that have a filter
 */
export async function insertEventWithDeliveries(
  tx: Tx,
  event: NewEventRow,
): Promise<{ webhookIds: number[]; filtered: FilteredWebhook[] }> {
  const { rows } = await tx.execute<{
    webhook_id: number;
    event_id: string | number | null;
    filter: FilterRule | null;
  }>(sql`
    with ${eventWithDeliveries(sql`
      values (
        ${event.accountId}::uuid, ${event.uuid}::uuid, ${event.type}::text,
        ${event.conversationId ?? null}::bigint, ${event.aboutWebhookId ?? null}::integer,
        ${event.payload}::text, ${event.traceParent ?? null}::text,
        ${sqlInstant(event.createdAt)}
      )`)}, ${filteredWebhooks}
    select webhook_id, null::bigint as event_id, null::jsonb as filter from queued
    union all select webhook_id, event_id, filter from filtered`);
  return {
    webhookIds: rows.flatMap((row) => (row.filter === null ? row.webhook_id : [])),
    filtered: rows.flatMap(({ filter, ...row }) =>
      filter === null ? [] : { eventId: Number(row.event_id), webhookId: row.webhook_id, filter },
    ),
  };
}

/** What the filter of a webhook decided about an event. */
export type FilterDecision = {
  eventId: number;
  webhookId: number;
  /** The clause that left the event out; null if it is sent. */
  filteredOut: string | null;
  error: string | null;
};

/** Queues deliveries of the events that filters let through, as `eventWithDeliveries` does. */
export async function insertFilteredDeliveries(
  tx: Tx,
  accountIds: readonly string[],
  decisions: readonly FilterDecision[],
): Promise<void> {
  await tx.execute(sql`
    with ${decided(decisions)}
    insert into deliveries
      (account_id, webhook_id, event_id, event_type, status, due_at, created_at, filter_error)
    select events.account_id, decided.webhook_id, events.id, events.type, 'pending',
      events.created_at, events.created_at, decided.error
    from decided join events on events.id = decided.event_id
      and events.account_id = any (${sql.param([...accountIds])}::uuid[])
    order by decided.webhook_id, events.id`);
}

/** Records in each event which webhooks’ filters left it out. */
export async function storeFilteredOut(
  tx: Tx,
  accountIds: readonly string[],
  decisions: readonly FilterDecision[],
): Promise<void> {
  await tx.execute(sql`
    with ${decided(decisions)}
    update events
    set filtered_out = coalesce(events.filtered_out, '{}'::jsonb) || added.clauses
    from (
      select event_id, jsonb_object_agg(webhook_id, clause) as clauses
      from decided group by event_id
    ) as added
    where events.id = added.event_id
      and events.account_id = any (${sql.param([...accountIds])}::uuid[])`);
}

function decided(decisions: readonly FilterDecision[]): SQL {
  const rows = decisions.map(({ eventId, webhookId, filteredOut, error }) => ({
    event_id: eventId,
    webhook_id: webhookId,
    clause: filteredOut,
    error,
  }));
  const columns = { event_id: 'bigint', webhook_id: 'int', clause: 'text', error: 'text' };
  return sql`decided as materialized ${rowsFrom(rows, columns)}`;
}
