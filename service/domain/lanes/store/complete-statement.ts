import { sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { rowsFrom, type RowValue } from '../../../db/statements/rows-from.ts';
import type { CounterChange, LaneToComplete, CompletedAttempt } from '../completed-attempt.ts';
import { attemptColumns, attemptRow } from './attempt-row.ts';
import { isWaitingTest } from './take-deliveries.ts';

export type CompletedLane = {
  webhookId: number;
  isReleased: boolean;
  isPaused: boolean;
  /** Whether a delivery became due, or the lane changed, since the last completion. */
  wasDirty: boolean;
  wakeAt: Date | null;
  failureCount: number;
  failingSince: Date | null;
};

/**
 * The statement of `completeAttempts`. It reads `is_dirty` and the lease from the newest versions of
 * the locked rows, so that a delivery that became due in the meantime is not overlooked.
 */
export async function completeLaneRows(
  db: Db | Tx,
  completion: StoredCompletion,
): Promise<CompletedLane[]> {
  const { rows } = await db.execute<CompletedLaneRow>(completeStatement(completion));
  return rows.map(readCompletedLane);
}

type CompletedLaneRow = {
  webhook_id: number;
  is_released: boolean;
  is_paused: boolean;
  was_dirty: boolean;
  wake_ms: number | null;
  failure_count: number;
  failing_since_ms: number | null;
};

function readCompletedLane(row: CompletedLaneRow): CompletedLane {
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

/** A completion as it is stored: with times, and with what the attempts change in each lane. */
type StoredCompletion = {
  owner: string;
  now: Date;
  leaseEnd: Date;
  isLast: boolean;
  attempts: readonly CompletedAttempt[];
  lanes: readonly (LaneToComplete & CounterChange)[];
};

/** Records ended attempts, and updates their deliveries and the lanes the worker still holds. */
export function completeStatement(completion: StoredCompletion): SQL {
  const now = sqlInstant(completion.now);
  const leaseEnd = sqlInstant(completion.leaseEnd);
  return sql`
    with ${endedAttempts(completion)},
    ${laneResults(completion)},
    ${heldLanes(completion)},
    ${completedDeliveries(now)},
    ${lanesDueSooner},
    ${existingLanes},
    ${loggedAttempts}
    ${updateLanes({ now, leaseEnd })}`;
}

const endedAttempts = ({ attempts }: StoredCompletion) => sql`
  ended_attempts as materialized ${rowsFrom(attempts.map(attemptRow), attemptColumns)}`;

/** What the attempts mean for their lanes. */
const laneResults = ({ lanes }: StoredCompletion) => sql`
  lane_results as materialized ${rowsFrom(lanes.map(laneRow), laneColumns)}`;

/** The lanes among them that this worker still holds, locked. */
const heldLanes = ({ owner, isLast }: StoredCompletion) => sql`
  held_lanes as materialized (
    select lanes.webhook_id, lanes.lease, lanes.is_dirty, lanes.is_for_tests,
      lane_results.is_released
        and (${isLast}::boolean or lane_results.has_ended or not lanes.is_dirty) as is_released,
      lane_results.had_success, lane_results.failures, lane_results.failing_since,
      lane_results.last_started_at
    from lanes join lane_results using (webhook_id)
    -- For a few ids in an array, lanes are found by their index (see idsIn).
    where lanes.webhook_id = any (array(select webhook_id from lane_results))
      and lanes.owner = ${owner}::uuid and lanes.lease = lane_results.lease
    order by lanes.webhook_id
    for update of lanes
  )`;

/**
 * Whether the delivery was cancelled during an attempt that did not deliver. It stays cancelled, or
 * delivered if an earlier attempt had arrived. If this attempt arrived, it is delivered: a replay
 * must not repeat it.
 */
const staysFinished = sql`(
  deliveries.status in ('cancelled', 'delivered') and ended_attempts.status <> 'delivered'
)`;

/**
 * Whether someone requested a retry during an attempt that did not deliver. Without such a
 * request, the delivery was due when the attempt started, at the latest.
 */
const isRetryRequested = sql`(
  deliveries.status = 'pending' and ended_attempts.status in ('pending', 'failed')
  and deliveries.due_at > ended_attempts.started_at
)`;

const completedDeliveries = (now: SQL) => sql`
  completed_deliveries as (
    update deliveries set
      status = case
        when ${staysFinished} then deliveries.status
        when ${isRetryRequested} then 'pending'
        else ended_attempts.status
      end,
      due_at = case
        when ${isRetryRequested} then least(deliveries.due_at, ended_attempts.due_at)
        when deliveries.status = 'pending' then ended_attempts.due_at
      end,
      attempt_count = deliveries.attempt_count + 1,
      tries = deliveries.tries + ended_attempts.tries,
      is_requested = deliveries.is_requested
        and (${isRetryRequested} or ended_attempts.internal_errors > 0),
      scheduled_at = case
        when ended_attempts.internal_errors > 0 then deliveries.scheduled_at
        when ${isRetryRequested} then ended_attempts.due_at
      end,
      internal_errors = deliveries.internal_errors + ended_attempts.internal_errors,
      last_status_code = ended_attempts.status_code,
      last_error = ended_attempts.last_error,
      finished_at = case
        when ${staysFinished} then deliveries.finished_at
        when ended_attempts.status <> 'pending' and not ${isRetryRequested} then ${now}
      end
    from ended_attempts join held_lanes using (webhook_id, lease)
    where deliveries.webhook_id = ended_attempts.webhook_id
      and deliveries.event_id = ended_attempts.event_id
      and deliveries.status <> 'failed'
      -- A statement whose result was lost is sent again: it must not count twice.
      and deliveries.attempt_count = ended_attempts.number - 1
    returning deliveries.webhook_id, deliveries.due_at,
      deliveries.due_at <= ${now} or deliveries.due_at is distinct from ended_attempts.due_at
        as is_due_sooner
  )`;

const lanesDueSooner = sql`
  lanes_due_sooner as materialized (
    -- Due already, or sooner than the attempts say: anyone who holds the lane has to look for it.
    select webhook_id, min(due_at) as due_at from completed_deliveries
    where due_at is not null and is_due_sooner
    group by webhook_id
  )`;

/** The lanes whose webhooks were not deleted in the meantime, no matter who holds them. */
const existingLanes = sql`
  existing_lanes as materialized (
    select webhook_id from lanes
    where webhook_id = any (array(select distinct webhook_id from ended_attempts))
  )`;

const loggedAttempts = sql`
  logged_attempts as (
    insert into attempts (
      account_id, webhook_id, event_id, number, started_at, duration_ms, waited_ms,
      first_byte_ms, url, status_code, error_kind, error_message, request_headers,
      response_headers, response_body, is_response_truncated
    )
    select ended_attempts.account_id, webhook_id, event_id, number, started_at, duration_ms,
      waited_ms, first_byte_ms, url, status_code, error_kind, error_message, request_headers,
      response_headers, response_body, is_response_truncated
    from ended_attempts
    where webhook_id in (select webhook_id from existing_lanes)
  )`;

type Times = { now: SQL; leaseEnd: SQL };

/** The earliest of the lane's pending deliveries that matches, without those that just ended. */
const firstWaiting = (condition: SQL) => sql`(
  select deliveries.due_at from deliveries
  where deliveries.webhook_id = held_lanes.webhook_id and ${condition}
    and (deliveries.webhook_id, deliveries.event_id) not in (
      select webhook_id, event_id from ended_attempts join held_lanes using (webhook_id, lease)
    )
  order by deliveries.due_at, deliveries.event_id
  limit 1
)`;

/** When the lane has something to send; null if nothing waits, or only what may not be sent. */
const nextDue = sql`least(
  lanes_due_sooner.due_at,
  (
    select min(ended_attempts.due_at) from ended_attempts
    where ended_attempts.webhook_id = held_lanes.webhook_id
      and ended_attempts.lease = held_lanes.lease
  ),
  case
    when held_lanes.is_for_tests then ${firstWaiting(isWaitingTest)}
    else ${firstWaiting(sql`deliveries.status = 'pending'`)}
  end
)`;

const updateLanes = ({ now, leaseEnd }: Times) => sql`
  update lanes set
    is_dirty = false,
    owner = case when held_lanes.is_released then null else owner end,
    -- An inactive webhook whose tests were sent.
    is_paused = case
      when held_lanes.is_for_tests and held_lanes.is_released and not held_lanes.is_dirty
        then is_paused or ${nextDue} is null
      else is_paused
    end,
    wake_at = ${wakeAt({ now, leaseEnd })},
    failure_count =
      case when held_lanes.had_success then 0 else failure_count end + held_lanes.failures,
    failing_since = case
      when held_lanes.had_success then held_lanes.failing_since
      -- A time in the future was written before the clock went back; the same below.
      when lanes.failing_since > ${now} then ${now}
      else coalesce(lanes.failing_since, held_lanes.failing_since)
    end,
    recovered_at = case
      when held_lanes.had_success and lanes.failing_announced_for is not null
        then coalesce(lanes.recovered_at, ${now})
      else lanes.recovered_at
    end,
    warning_count = case when held_lanes.had_success then 0 else warning_count end,
    last_triggered_at = case
      when last_triggered_at > ${now} then coalesce(held_lanes.last_started_at, last_triggered_at)
      else greatest(last_triggered_at, held_lanes.last_started_at)
    end
  from held_lanes left join lanes_due_sooner using (webhook_id)
  where lanes.webhook_id = held_lanes.webhook_id
  returning lanes.webhook_id, held_lanes.is_released, is_paused,
    held_lanes.is_dirty or lanes_due_sooner.webhook_id is not null as was_dirty,
    ${sqlMilliseconds(sql`wake_at`)} as wake_ms, failure_count,
    ${sqlMilliseconds(sql`lanes.failing_since`)} as failing_since_ms`;

/** When the lane is due, or until when it is leased. */
const wakeAt = ({ now, leaseEnd }: Times) => sql`
    case
      when not held_lanes.is_released then ${leaseEnd}
      when held_lanes.is_dirty then ${now}
      else ${nextDue}
    end`;

const laneColumns = {
  webhook_id: 'int',
  lease: 'bigint',
  is_released: 'boolean',
  has_ended: 'boolean',
  had_success: 'boolean',
  failures: 'int',
  failing_since: 'timestamptz',
  last_started_at: 'timestamptz',
};

function laneRow(lane: LaneToComplete & CounterChange): Record<keyof typeof laneColumns, RowValue> {
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
