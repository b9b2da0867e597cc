import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import type { CounterChange } from '../counter-change-of.ts';
import type { LaneToSettle, SettledAttempt } from '../settled-attempt.ts';
import { attemptJson } from './attempt-json.ts';
import { sqlInstant, milliseconds } from './sql-parts.ts';

export type SettledLane = {
  webhookId: number;
  isReleased: boolean;
  isPaused: boolean;
  /** Whether a delivery became due, or the lane changed, since the last settlement. */
  wasDirty: boolean;
  wakeAt: Date | null;
  failureCount: number;
  failingSince: Date | null;
};

/**
 * The statement of `settleAttempts`. It reads `is_dirty` and the lease from the newest versions of
 * the locked rows, so that a delivery that became due in the meantime is not overlooked.
 */
export async function settleLaneRows(
  db: Db | Tx,
  about: {
    owner: string;
    now: Date;
    leaseEnd: Date;
    isLast: boolean;
    attempts: readonly SettledAttempt[];
    lanes: readonly (LaneToSettle & CounterChange)[];
  },
): Promise<SettledLane[]> {
  const now = sqlInstant(about.now);
  const { rows } = await db.execute<SettledLaneRow>(sql`
    with attempt as materialized (
      select * from json_to_recordset(${JSON.stringify(about.attempts.map(attemptJson))}::json)
        as attempt (
          webhook_id int, account_id uuid, event_id bigint, lease bigint, number int,
          status text, due_at timestamptz, tries int, last_error text,
          started_at timestamptz, duration_ms int, waited_ms int, first_byte_ms int, url text,
          status_code int, error_kind text, error_message text, request_headers jsonb,
          response_headers jsonb, response_body text, is_response_truncated boolean
        )
    ), wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(about.lanes.map(laneJson))}::json)
        as wanted (
          webhook_id int, lease bigint, is_released boolean, has_ended boolean,
          had_success boolean, failures int, failing_since timestamptz, last_started_at timestamptz
        )
    ), held as materialized (
      select lanes.webhook_id, lanes.lease, lanes.is_dirty,
        wanted.is_released
          and (${about.isLast}::boolean or wanted.has_ended or not lanes.is_dirty) as is_released,
        wanted.had_success, wanted.failures, wanted.failing_since, wanted.last_started_at
      from lanes join wanted using (webhook_id)
      -- For a few ids in an array, lanes are found by their index (see idsIn).
      where lanes.webhook_id = any (array(select webhook_id from wanted))
        and lanes.owner = ${about.owner}::uuid and lanes.lease = wanted.lease
      order by lanes.webhook_id
      for update of lanes
    ), settled as (
      update deliveries set
        status = case
          when ${staysFinished} then deliveries.status
          when ${isRetryRequested} then 'pending'
          else attempt.status
        end,
        due_at = case
          when ${isRetryRequested} then least(deliveries.due_at, attempt.due_at)
          when deliveries.status = 'pending' then attempt.due_at
        end,
        attempt_count = deliveries.attempt_count + 1,
        tries = deliveries.tries + attempt.tries,
        last_status_code = attempt.status_code,
        last_error = attempt.last_error,
        finished_at = case
          when ${staysFinished} then deliveries.finished_at
          when attempt.status <> 'pending' and not ${isRetryRequested} then ${now}
        end
      from attempt join held using (webhook_id, lease)
      where deliveries.webhook_id = attempt.webhook_id
        and deliveries.event_id = attempt.event_id
        and deliveries.status <> 'failed'
        -- A statement whose result was lost is sent again: it must not count twice.
        and deliveries.attempt_count = attempt.number - 1
      returning deliveries.webhook_id, deliveries.due_at,
        deliveries.due_at <= ${now} or deliveries.due_at is distinct from attempt.due_at as is_news
    ), news as materialized (
      -- Due already, or sooner than the attempts say: whoever holds the lane has to look for it.
      select webhook_id, min(due_at) as due_at from settled
      where due_at is not null and is_news
      group by webhook_id
    ), living as materialized (
      select webhook_id from lanes
      where webhook_id = any (array(select distinct webhook_id from attempt))
    ), logged as (
      insert into attempts (
        account_id, webhook_id, event_id, number, started_at, duration_ms, waited_ms,
        first_byte_ms, url, status_code, error_kind, error_message, request_headers,
        response_headers, response_body, is_response_truncated
      )
      select attempt.account_id, webhook_id, event_id, number, started_at, duration_ms, waited_ms,
        first_byte_ms, url, status_code, error_kind, error_message, request_headers,
        response_headers, response_body, is_response_truncated
      from attempt
      where webhook_id in (select webhook_id from living)
    )
    update lanes set
      is_dirty = false,
      owner = case when held.is_released then null else owner end,
      wake_at = case
        when not held.is_released then ${sqlInstant(about.leaseEnd)}
        when held.is_dirty then ${now}
        else least(
          news.due_at,
          (
            select min(attempt.due_at) from attempt
            where attempt.webhook_id = held.webhook_id and attempt.lease = held.lease
          ),
          (
            select deliveries.due_at from deliveries
            where deliveries.webhook_id = held.webhook_id and deliveries.status = 'pending'
              and (deliveries.webhook_id, deliveries.event_id)
                not in (select webhook_id, event_id from attempt join held using (webhook_id, lease))
            order by deliveries.due_at, deliveries.event_id
            limit 1
          )
        )
      end,
      failure_count =
        case when held.had_success then 0 else failure_count end + held.failures,
      failing_since = case
        when held.had_success then held.failing_since
        -- A time in the future was written before the clock went back; the same below.
        when lanes.failing_since > ${now} then ${now}
        else coalesce(lanes.failing_since, held.failing_since)
      end,
      warning_count = case when held.had_success then 0 else warning_count end,
      last_triggered_at = case
        when last_triggered_at > ${now} then coalesce(held.last_started_at, last_triggered_at)
        else greatest(last_triggered_at, held.last_started_at)
      end
    from held left join news using (webhook_id) where lanes.webhook_id = held.webhook_id
    returning lanes.webhook_id, held.is_released, is_paused,
      held.is_dirty or news.webhook_id is not null as was_dirty,
      ${milliseconds(sql`wake_at`)} as wake_ms, failure_count,
      ${milliseconds(sql`lanes.failing_since`)} as failing_since_ms`);
  return rows.map(readSettledLane);
}

/**
 * Whether the delivery was cancelled during an attempt that did not deliver. It stays cancelled, or
 * delivered if an earlier attempt had arrived. If this attempt arrived, it is delivered: a replay
 * must not repeat it.
 */
const staysFinished = sql`(
  deliveries.status in ('cancelled', 'delivered') and attempt.status <> 'delivered'
)`;

/**
 * Whether somebody requested a retry during an attempt that did not deliver. Without such a
 * request, the delivery was due when the attempt started, at the latest.
 */
const isRetryRequested = sql`(
  deliveries.status = 'pending' and attempt.status in ('pending', 'failed')
  and deliveries.due_at > attempt.started_at
)`;

type SettledLaneRow = {
  webhook_id: number;
  is_released: boolean;
  is_paused: boolean;
  was_dirty: boolean;
  wake_ms: number | null;
  failure_count: number;
  failing_since_ms: number | null;
};

function readSettledLane(row: SettledLaneRow): SettledLane {
  return {
    webhookId: row.webhook_id,
    isReleased: row.is_released,
    isPaused: row.is_paused,
    wasDirty: row.was_dirty,
    wakeAt: row.wake_ms === null ? null : new Date(row.wake_ms),
    failureCount: row.failure_count,
    failingSince: row.failing_since_ms === null ? null : new Date(row.failing_since_ms),
  };
}

function laneJson(lane: LaneToSettle & CounterChange): Record<string, unknown> {
  return {
    webhook_id: lane.webhookId,
    lease: lane.lease,
    is_released: lane.isReleased,
    has_ended: lane.hasEnded ?? false,
    had_success: lane.hadSuccess,
    failures: lane.failures,
    failing_since: lane.failingSince,
    last_started_at: lane.lastStartedAt,
  };
}
