import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';

const askedColumns = {
  webhook_id: 'int',
  lease: 'bigint',
  after_due_at: 'timestamptz',
  after_event_id: 'bigint',
  max_deliveries: 'int',
  bytes: 'int',
  held_ids: 'bigint[]',
};

/** Takes deliveries of lanes that this owner holds and that are not paused. */
export async function takeDueDeliveries(
  db: Db,
  {
    owner,
    now,
    lanes,
  }: {
    owner: string;
    now: Date;
    lanes: readonly {
      webhookId: number;
      lease: number;
      after: { dueAt: Date; eventId: number } | null;
      maxDeliveries: number;
      bytes: number;
      heldIds: readonly number[];
    }[];
  },
): Promise<TakenRow[]> {
  const asked = lanes.map(({ webhookId, lease, after, maxDeliveries, bytes, heldIds }) => ({
    webhook_id: webhookId,
    lease,
    after_due_at: after?.dueAt ?? '-infinity',
    after_event_id: after?.eventId ?? 0,
    max_deliveries: maxDeliveries,
    bytes,
    held_ids: heldIds,
  }));
  const { rows } = await db.execute<TakenRow>(sql`
    with asked as materialized ${rowsFrom(asked, askedColumns)},
    held as materialized (
      select webhook_id, account_id, lease, failure_count, is_for_tests, after_due_at, after_event_id, max_deliveries,
        bytes, held_ids
      from asked join lanes using (webhook_id, lease)
      where lanes.webhook_id = any (array(select webhook_id from asked))
        and owner = ${owner}::uuid and not is_paused
    )
    ${selectTakenRows(now)}`);
  return rows;
}

/** A lane with one of its deliveries; only a lane's first row has the lane's own columns. */
export type TakenRow = {
  webhook_id: number;
  account_id: string;
  lease: number;
  failure_count: number;
  url: string | null;
  secrets: { uuid: string; sealed: string }[] | null;
  /** Null also if it has no static headers. */
  headers: { uuid: string; sealed: string } | null;
  max_per_second: number | null;
  /** How long ago its latest attempt began, if it has a limit per second. */
  idle_ms: number | null;
  /** This row's position in its lane, from 1. Null, as what follows, if nothing is due. */
  position: number | null;
  event_id: number | null;
  due_ms: number | null;
  attempt_count: number | null;
  tries: number | null;
  is_requested: boolean | null;
  scheduled_ms: number | null;
  internal_errors: number | null;
  event_type: string | null;
  replay_uuid: string | null;
  event_uuid: string | null;
  payload: string | null;
  trace_parent: string | null;
};

/**
 * For each lane in `held`: its webhook, and the next due deliveries that the worker does not have
 * yet. An inactive webhook is sent tests only, which go before everything else. At most
 * `maxDeliveries` of them, and no further ones once their bodies have reached `bytes`.
 */
export function selectTakenRows(now: Date): SQL {
  return sql`
    select held.webhook_id, held.account_id, held.lease::float8 as lease, held.failure_count,
      case when coalesce(position, 1) = 1 then webhooks.url end as url,
      case when coalesce(position, 1) = 1 then (
        select json_agg(
          json_build_object('uuid', uuid, 'sealed', encode(sealed, 'base64'))
          order by (valid_until is null) desc, created_at desc
        )
        from webhook_secrets
        where account_id = held.account_id and webhook_id = held.webhook_id
          and coalesce(valid_until > ${sqlInstant(now)}, true)
      ) end as secrets,
      case when coalesce(position, 1) = 1 and header_names <> '{}' then (
        select json_build_object('uuid', uuid, 'sealed', encode(sealed, 'base64'))
        from webhook_headers
        where account_id = held.account_id and webhook_id = held.webhook_id
      ) end as headers,
      case when coalesce(position, 1) = 1 then max_per_second end as max_per_second,
      case when coalesce(position, 1) = 1 and max_per_second is not null then (
        select extract(epoch from ${sqlInstant(now)} - last_triggered_at)::float8 * 1000
        from lanes where lanes.webhook_id = held.webhook_id
      ) end as idle_ms,
      position::int, due.event_id::float8 as event_id, ${sqlMilliseconds(sql`due.due_at`)} as due_ms,
      due.attempt_count, due.tries, due.is_requested,
      ${sqlMilliseconds(sql`due.scheduled_at`)} as scheduled_ms, due.internal_errors, due.event_type, due.replay_uuid::text as replay_uuid,
      due.uuid::text as event_uuid, due.payload, due.trace_parent
    from held
    join webhooks on webhooks.account_id = held.account_id and webhooks.id = held.webhook_id
    left join lateral (
      select * from (
        select first.*, uuid, payload, trace_parent, row_number() over in_order as position,
          sum(octet_length(payload)) over in_order - octet_length(payload) as bytes_before
        from (
          select event_id, due_at, attempt_count, tries, is_requested, scheduled_at,
            internal_errors, event_type, replay_uuid
          from deliveries
          where deliveries.webhook_id = held.webhook_id and status = 'pending'
            and due_at <= case when held.is_for_tests then (
              select max(due_at) from deliveries
              where deliveries.webhook_id = held.webhook_id and ${isWaitingTest}
                and due_at <= ${sqlInstant(now)}
            ) else ${sqlInstant(now)} end
            and (not held.is_for_tests or event_type = 'webhook.test')
            and (due_at, event_id) > (held.after_due_at, held.after_event_id)
            and event_id <> all (held.held_ids)
          order by due_at, event_id
          limit held.max_deliveries
        ) as first
        left join events on events.account_id = held.account_id and events.id = event_id
        window in_order as (order by due_at, event_id rows unbounded preceding)
      ) as sized
      where coalesce(bytes_before, 0) < held.bytes
    ) as due on true`;
}

/** The condition of the index of tests that wait. */
export const isWaitingTest = sql`deliveries.status = 'pending'
  and deliveries.event_type = 'webhook.test'`;

/**
 * The rows of a statement that joins them to other values with a left join: if nothing was taken,
 * its only row has those values alone.
 */
export function withoutEmptyRow<Row extends TakenRow>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => (row.webhook_id as number | null) !== null);
}
