import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';

/**
 * The parts of a `with` clause that write events and queue their deliveries to webhooks without a
 * filter: `event`, and `queued` with the `webhook_id` of each delivery.
 *
 * @param rows a query of each event's account_id, uuid, type, conversation_id, about_webhook_id,
 *   payload, trace_parent and created_at
 * @param options.withPayload whether `event` has the payload, too
 */
export function eventWithDeliveries(rows: SQL, { withPayload = false } = {}): SQL {
  return sql`event as (
      insert into events
        (account_id, uuid, type, conversation_id, about_webhook_id, payload, trace_parent, created_at)
      ${rows}
      returning account_id, id, type, about_webhook_id, created_at${sql.raw(withPayload ? ', payload' : '')}
    ), queued as (
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, created_at)
      select event.account_id, subscribed.id, event.id, event.type, 'pending',
        event.created_at, event.created_at
      from event cross join lateral (
        select id from webhooks where ${isSubscribed} and filter is null
        -- Keeps this a subquery, which uses the index for each event. Otherwise the planner, which
        -- expects a hundred events, would read the webhooks of all accounts.
        offset 0
      ) as subscribed
      order by subscribed.id, event.id
      returning webhook_id
    )`;
}

const isSubscribed = sql`webhooks.account_id = event.account_id
  -- An event may be written after a pause that it preceded: its call waited, or another process’s
  -- clock is ahead. Its delivery waits like those that were pending.
  and (is_active or inactive_since > event.created_at and inactive_reason <> 'setup')
  and event.type = any (webhooks.events) and id is distinct from event.about_webhook_id`;

/**
 * The next part, `filtered`: the webhooks with a filter that would get the events. Only the service
 * can evaluate filters: `applyFilters` queues these deliveries in the same transaction.
 */
export const filteredWebhooks = sql`filtered as (
    select event.id as event_id, subscribed.id as webhook_id, subscribed.filter
    from event cross join lateral (
      select id, filter from webhooks where ${isSubscribed} and filter is not null
      offset 0
    ) as subscribed
  )`;
