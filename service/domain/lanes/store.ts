import { eq, isNotNull, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { lanes } from '../../db/schema.ts';
import { changedPrefix, dueNews, laneChannel } from './channel.ts';
import type { CounterChange } from './lane-counters.ts';
import type { AttemptName, SettledAttempt } from './settled-attempt.ts';

// Lanes are always locked in the order of their webhooks' ids, or passed over when locked, so that
// these statements never wait for one another in a circle. Lists go in as JSON, one parameter
// whatever their length; numbers come out as int4 or float8, which both engines give as numbers.

/** Of the lanes that are due: enough that those of one account do not hide another's. */
const consideredPerClaim = 1000;

/** A lane with one of its deliveries; the lane's own facts stand in its first row only. */
export type TakenRow = {
  webhook_id: number;
  account_id: string;
  lease: number;
  failure_count: number;
  url: string | null;
  secrets: { uuid: string; sealed: string }[] | null;
  /** Which of the lane's rows this is, from 1; null, like all that follows, in a lane without any. */
  place: number | null;
  event_id: number | null;
  due_ms: number | null;
  attempt_count: number | null;
  tries: number | null;
  event_type: string | null;
  replay_uuid: string | null;
  event_uuid: string | null;
  payload: string | null;
};

export type SettledLane = {
  webhookId: number;
  isReleased: boolean;
  isPaused: boolean;
  /** Whether something came due, or changed, since the last settlement. */
  wasDirty: boolean;
  wakeAt: Date | null;
  failureCount: number;
  failingSince: Date | null;
};

export async function insertLane(tx: Tx, row: typeof lanes.$inferInsert): Promise<void> {
  await tx.insert(lanes).values(row);
}

export async function pauseLaneRow(tx: Tx, webhookId: number): Promise<void> {
  await tx.update(lanes).set({ isPaused: true }).where(eq(lanes.webhookId, webhookId));
  await tx.execute(sql`select pg_notify(${laneChannel}, ${`${changedPrefix}${webhookId}`})`);
}

export async function resumeLaneRow(
  tx: Tx,
  { webhookId, now }: { webhookId: number; now: Date },
): Promise<void> {
  await tx
    .update(lanes)
    .set({
      isPaused: false,
      isDirty: isNotNull(lanes.owner),
      wakeAt: sql`case when ${lanes.owner} is null then ${instant(now)} else ${lanes.wakeAt} end`,
      failureCount: 0,
      failingSince: null,
      warningCount: 0,
    })
    .where(eq(lanes.webhookId, webhookId));
  await tx.execute(sql`
    select pg_notify(${laneChannel}, ${dueNews}),
      pg_notify(${laneChannel}, ${`${changedPrefix}${webhookId}`})`);
}

export async function freeAllLeases(db: Db, now: Date): Promise<void> {
  await db
    .update(lanes)
    .set({ owner: null, isDirty: false, wakeAt: now })
    .where(isNotNull(lanes.owner));
}

/** Frees what workers hold that are silent for so long, and forgets those that hold nothing more. */
export async function freeLeasesOfSilent(
  db: Db,
  about: { owners: readonly string[]; deadAfterMs: number; now: Date },
): Promise<number> {
  const { rows } = await db.execute<{ lanes: number }>(sql`
    with silent as materialized (
      select owner from workers
      where owner in (
          select value::uuid from json_array_elements_text(${JSON.stringify(about.owners)}::json)
        )
        and beats_at <= now() - ${about.deadAfterMs}::float8 * interval '1 millisecond'
      for update skip locked
    ), theirs as materialized (
      select webhook_id from lanes
      where owner in (select owner from silent)
      order by webhook_id
      for update skip locked
    ), freed as (
      update lanes set owner = null, is_dirty = false, wake_at = ${instant(about.now)}
      from theirs where lanes.webhook_id = theirs.webhook_id
      returning lanes.webhook_id, true as is_free, is_paused
    ), forgotten as (
      delete from workers
      where owner in (select owner from silent) and not exists (
          select from lanes
          where lanes.owner = workers.owner and webhook_id not in (select webhook_id from theirs)
        )
    )
    select (select count(*)::int from freed) as lanes,
      (select count(*)::int from (${news(sql`freed`)}) as told) as told`);
  return rows[0]?.lanes ?? 0;
}

/**
 * Makes free lanes due and marks leased ones dirty. Of a lane that is due or dirty already nothing
 * is written and nobody is told: who claims or settles it next reads what is due then.
 */
export async function touchLaneRows(
  db: Db,
  { webhookIds, now }: { webhookIds: readonly number[]; now: Date },
): Promise<void> {
  await db.execute(sql`
    with untouched as materialized (
      select webhook_id from lanes
      where webhook_id in (
          select value::int from json_array_elements_text(${JSON.stringify(webhookIds)}::json)
        )
        and case when owner is null then coalesce(wake_at > ${instant(now)}, true)
          else not is_dirty end
      order by webhook_id
      for update
    ), touched as (
      update lanes set
        wake_at = case when owner is null then ${instant(now)} else wake_at end,
        is_dirty = owner is not null
      from untouched where lanes.webhook_id = untouched.webhook_id
      returning lanes.webhook_id, owner is null as is_free, is_paused
    )
    ${news(sql`touched`)}`);
}

/** Locks a lane: until the transaction ends nothing is claimed or settled in it. */
export async function lockLaneRow(
  tx: Tx,
  webhookId: number,
): Promise<Pick<typeof lanes.$inferSelect, 'owner' | 'lastTriggeredAt'> | null> {
  const [lane] = await tx
    .select({ owner: lanes.owner, lastTriggeredAt: lanes.lastTriggeredAt })
    .from(lanes)
    .where(eq(lanes.webhookId, webhookId))
    .for('update');
  return lane ?? null;
}

/** Wakes free lanes that sleep over a delivery due before a moment. */
export async function wakeForgottenLanes(
  db: Db,
  { now, dueBefore }: { now: Date; dueBefore: Date },
): Promise<{ deliveries: number; lanes: number }> {
  const { rows } = await db.execute<{ deliveries: number; lanes: number }>(sql`
    with forgotten as materialized (
      select webhook_id from lanes
      where owner is null and not is_paused and coalesce(wake_at > ${instant(now)}, true)
        and exists (
          select from deliveries
          where deliveries.webhook_id = lanes.webhook_id and status = 'pending'
            and due_at < ${instant(dueBefore)}
        )
      order by webhook_id
      for update of lanes skip locked
    ), woken as (
      update lanes set wake_at = ${instant(now)}
      from forgotten where lanes.webhook_id = forgotten.webhook_id
      returning lanes.webhook_id, true as is_free, is_paused
    )
    select (select count(*)::int from woken) as lanes,
      (
        select count(*)::int from woken join deliveries using (webhook_id)
        where status = 'pending' and due_at < ${instant(dueBefore)}
      ) as deliveries,
      (select count(*)::int from (${news(sql`woken`)}) as told) as told`);
  return { deliveries: rows[0]?.deliveries ?? 0, lanes: rows[0]?.lanes ?? 0 };
}

/**
 * Leases due lanes and takes the first deliveries of each. Accounts take turns: of many lanes of one
 * and a single lane of another that are due, the single one is among the first.
 */
export async function claimDueLanes(
  db: Db,
  about: {
    owner: string;
    now: Date;
    leaseEnd: Date;
    limit: number;
    room: number;
    bytes: number;
    sparesOthers: boolean;
  },
): Promise<{ rows: TakenRow[]; nextWakeMs: number | null; isMoreDue: boolean }> {
  const { owner, now, leaseEnd, limit, room, bytes } = about;
  const isSpared = sql`(${about.sparesOthers}::boolean and owner <> ${owner}::uuid)`;
  const { rows } = await db.execute<
    { next_wake_ms: number | null; is_more_due: boolean } & TakenRow
  >(sql`
    with candidates as materialized (
      select webhook_id, wake_at, row_number() over (partition by account_id order by wake_at) as turn
      from (
        select webhook_id, account_id, wake_at from lanes
        where wake_at <= ${instant(now)} and not is_paused and ${isSpared} is not true
        order by wake_at
        limit ${consideredPerClaim}
      ) as longest_due
    ), due as materialized (
      select webhook_id from candidates join lanes using (webhook_id)
      where lanes.wake_at <= ${instant(now)} and not lanes.is_paused and ${isSpared} is not true
      order by turn, candidates.wake_at
      limit ${limit}
      for update of lanes skip locked
    ), held as (
      update lanes set owner = ${owner}::uuid, lease = lease + 1,
        wake_at = ${instant(leaseEnd)}, is_dirty = false
      from due where lanes.webhook_id = due.webhook_id
      returning lanes.webhook_id, account_id, lease, failure_count,
        '-infinity'::timestamptz as after_due_at, 0::bigint as after_event_id, ${room}::int as room,
        ${bytes}::int as bytes, '{}'::bigint[] as held_ids
    ), taken as (${taken(now)}), next as (
      select (extract(epoch from min(wake_at)) * 1000)::float8 as next_wake_ms,
        exists (
          select from lanes
          where wake_at <= ${instant(now)} and not is_paused and ${isSpared} is not true
            and webhook_id not in (select webhook_id from due)
        ) as is_more_due
      from lanes where wake_at > ${instant(now)} and not is_paused and owner is null
    )
    select * from next left join taken on true`);
  return {
    rows: rows.filter((row) => (row.webhook_id as number | null) !== null),
    nextWakeMs: rows[0]?.next_wake_ms ?? null,
    isMoreDue: rows[0]?.is_more_due ?? false,
  };
}

/** Leases the lanes anew that an owner knows to be its own, and frees those it does not know. */
export async function retakeLeases(
  db: Db,
  about: { owner: string; known: readonly number[]; now: Date; leaseEnd: Date },
): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ leases: { webhook_id: number; lease: number }[] }>(sql`
    with own as materialized (
      select webhook_id, webhook_id in (
          select value::int from json_array_elements_text(${JSON.stringify(about.known)}::json)
        ) as is_known
      from lanes where owner = ${about.owner}::uuid
      order by webhook_id
      for update
    ), retaken as (
      update lanes set
        lease = lease + 1,
        owner = case when is_known then owner end,
        wake_at = case when is_known then ${instant(about.leaseEnd)} else ${instant(about.now)} end,
        is_dirty = is_known and is_dirty
      from own where lanes.webhook_id = own.webhook_id
      returning lanes.webhook_id, lease, is_known, is_paused
    ), freed as (
      select webhook_id, is_paused, true as is_free from retaken where not is_known
    )
    select (
        select coalesce(json_agg(json_build_object('webhook_id', webhook_id, 'lease', lease)), '[]')
        from retaken where is_known
      ) as leases,
      (select count(*)::int from (${news(sql`freed`)}) as told) as told`);
  return new Map((rows[0]?.leases ?? []).map(({ webhook_id: id, lease }) => [id, lease]));
}

/** Those of the attempts that are written down. */
export async function findWrittenAttempts(
  db: Db,
  attempts: readonly AttemptName[],
): Promise<AttemptName[]> {
  if (attempts.length === 0) return [];
  const asked = attempts.map(({ webhookId, eventId, number, startedAt }, index) => ({
    index,
    webhook_id: webhookId,
    event_id: eventId,
    number,
    started_at: startedAt,
  }));
  const { rows } = await db.execute<{ index: number }>(sql`
    select index from json_to_recordset(${JSON.stringify(asked)}::json) as asked (
      index int, webhook_id int, event_id bigint, number int, started_at timestamptz
    )
    where exists (
      select from attempts
      where attempts.webhook_id = asked.webhook_id and attempts.event_id = asked.event_id
        and attempts.number = asked.number and attempts.started_at = asked.started_at
    )`);
  return rows.flatMap(({ index }) => attempts[index] ?? []);
}

/** Takes deliveries of lanes that this owner holds and that are not paused. */
export async function takeDueDeliveries(
  db: Db,
  about: {
    owner: string;
    now: Date;
    lanes: readonly {
      webhookId: number;
      lease: number;
      after: { dueAt: Date; eventId: number } | null;
      room: number;
      bytes: number;
      heldIds: readonly number[];
    }[];
  },
): Promise<TakenRow[]> {
  const asked = about.lanes.map(({ webhookId, lease, after, room, bytes, heldIds }) => ({
    webhook_id: webhookId,
    lease,
    after_due_at: after?.dueAt ?? '-infinity',
    after_event_id: after?.eventId ?? 0,
    room,
    bytes,
    held_ids: heldIds,
  }));
  const { rows } = await db.execute<TakenRow>(sql`
    with asked as materialized (
      select * from json_to_recordset(${JSON.stringify(asked)}::json) as asked (
        webhook_id int, lease bigint, after_due_at timestamptz, after_event_id bigint, room int,
        bytes int, held_ids bigint[]
      )
    ), held as materialized (
      select webhook_id, account_id, lease, failure_count, after_due_at, after_event_id, room,
        bytes, held_ids
      from asked join lanes using (webhook_id, lease)
      where owner = ${about.owner}::uuid and not is_paused
    )
    ${taken(about.now)}`);
  return rows;
}

/**
 * The statement behind `settleAttempts`. `is_dirty` and the lease are read from the locked rows'
 * newest versions, so that nothing which came due in the meantime is slept over.
 */
export async function settleLaneRows(
  db: Db | Tx,
  about: {
    owner: string;
    now: Date;
    leaseEnd: Date;
    isLast: boolean;
    attempts: readonly SettledAttempt[];
    lanes: readonly ({ webhookId: number; lease: number; isReleased: boolean } & CounterChange)[];
  },
): Promise<SettledLane[]> {
  const now = instant(about.now);
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
          webhook_id int, lease bigint, is_released boolean, had_success boolean, failures int,
          failing_since timestamptz, last_started_at timestamptz
        )
    ), held as materialized (
      select lanes.webhook_id, lanes.lease, lanes.is_dirty,
        wanted.is_released and (${about.isLast}::boolean or not lanes.is_dirty) as is_released,
        wanted.had_success, wanted.failures, wanted.failing_since, wanted.last_started_at
      from lanes join wanted using (webhook_id)
      where lanes.owner = ${about.owner}::uuid and lanes.lease = wanted.lease
      order by lanes.webhook_id
      for update of lanes
    ), settled as (
      update deliveries set
        status = case
          when deliveries.status = 'cancelled' and attempt.status <> 'delivered' then 'cancelled'
          else attempt.status
        end,
        due_at = case when deliveries.status = 'pending' then attempt.due_at end,
        attempt_count = deliveries.attempt_count + 1,
        tries = deliveries.tries + attempt.tries,
        last_status_code = attempt.status_code,
        last_error = attempt.last_error,
        finished_at = case
          when deliveries.status = 'cancelled' and attempt.status <> 'delivered'
            then deliveries.finished_at
          when attempt.status <> 'pending' then ${now}
        end
      from attempt join held using (webhook_id, lease)
      where deliveries.webhook_id = attempt.webhook_id
        and deliveries.event_id = attempt.event_id
        -- What was cancelled meanwhile stays so, unless it arrived: then a replay must not repeat it.
        and deliveries.status in ('pending', 'cancelled')
        -- A statement whose answer was lost is sent again: it must not count twice.
        and deliveries.attempt_count = attempt.number - 1
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
      where exists (select from lanes where lanes.webhook_id = attempt.webhook_id)
    )
    update lanes set
      is_dirty = false,
      owner = case when held.is_released then null else owner end,
      wake_at = case
        when not held.is_released then ${instant(about.leaseEnd)}
        when held.is_dirty then ${now}
        else least(
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
    from held where lanes.webhook_id = held.webhook_id
    returning lanes.webhook_id, held.is_released, is_paused, held.is_dirty as was_dirty,
      ${milliseconds(sql`wake_at`)} as wake_ms, failure_count,
      ${milliseconds(sql`lanes.failing_since`)} as failing_since_ms`);
  return rows.map(readSettledLane);
}

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

function laneJson(
  lane: { webhookId: number; lease: number; isReleased: boolean } & CounterChange,
): Record<string, unknown> {
  return {
    webhook_id: lane.webhookId,
    lease: lane.lease,
    is_released: lane.isReleased,
    had_success: lane.hadSuccess,
    failures: lane.failures,
    failing_since: lane.failingSince,
    last_started_at: lane.lastStartedAt,
  };
}

function attemptJson(attempt: SettledAttempt): Record<string, unknown> {
  const { becomes } = attempt;
  return {
    webhook_id: attempt.webhookId,
    account_id: attempt.accountId,
    event_id: attempt.eventId,
    lease: attempt.lease,
    number: attempt.number,
    status: becomes.status,
    due_at: becomes.status === 'pending' ? becomes.dueAt : null,
    tries: attempt.isTry ? 1 : 0,
    last_error: storable(attempt.lastError),
    started_at: attempt.startedAt,
    duration_ms: wholeMs(attempt.durationMs),
    waited_ms: wholeMs(attempt.waitedMs),
    first_byte_ms: attempt.firstByteMs === null ? null : wholeMs(attempt.firstByteMs),
    url: attempt.url,
    status_code: attempt.statusCode,
    error_kind: attempt.error?.kind ?? null,
    error_message: storable(attempt.error?.message ?? null),
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders && storableHeaders(attempt.responseHeaders),
    response_body: storable(attempt.responseBody),
    is_response_truncated: attempt.isResponseTruncated,
  };
}

/** What an integer column holds: a delivery may have stood due for longer than 24 days. */
function wholeMs(ms: number): number {
  return Math.min(Math.round(ms), 2_147_483_647);
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair; a receiver may send both. */
function storable(text: string | null): string | null {
  return text === null ? null : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function storableHeaders(headers: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, storable(value)]),
  );
}

/**
 * Of each lane in `held`: its webhook, and deliveries due after a place in it that it does not have
 * yet, at most `room`, and at most so many that all but the last have fewer than `bytes` of bodies.
 */
function taken(now: Date): SQL {
  return sql`
    select held.webhook_id, held.account_id, held.lease::float8 as lease, held.failure_count,
      case when coalesce(place, 1) = 1 then webhooks.url end as url,
      case when coalesce(place, 1) = 1 then (
        select json_agg(
          json_build_object('uuid', uuid, 'sealed', encode(sealed, 'base64'))
          order by (valid_until is null) desc, created_at desc
        )
        from webhook_secrets
        where account_id = held.account_id and webhook_id = held.webhook_id
          and coalesce(valid_until > ${instant(now)}, true)
      ) end as secrets,
      place::int, due.event_id::float8 as event_id, ${milliseconds(sql`due.due_at`)} as due_ms,
      due.attempt_count, due.tries, due.event_type, due.replay_uuid::text as replay_uuid,
      due.uuid::text as event_uuid, due.payload
    from held
    join webhooks on webhooks.account_id = held.account_id and webhooks.id = held.webhook_id
    left join lateral (
      select * from (
        select first.*, uuid, payload, row_number() over in_order as place,
          sum(octet_length(payload)) over in_order - octet_length(payload) as bytes_before
        from (
          select event_id, due_at, attempt_count, tries, event_type, replay_uuid
          from deliveries
          where deliveries.webhook_id = held.webhook_id and status = 'pending'
            and due_at <= ${instant(now)}
            and (due_at, event_id) > (held.after_due_at, held.after_event_id)
            and event_id <> all (held.held_ids)
          order by due_at, event_id
          limit held.room
        ) as first
        left join events on events.account_id = held.account_id and events.id = event_id
        window in_order as (order by due_at, event_id rows unbounded preceding)
      ) as sized
      where coalesce(bytes_before, 0) < held.bytes
    ) as due on true`;
}

/** Tells workers once that something is due, and holders which of their lanes changed. */
function news(touched: SQL): SQL {
  return sql`
    select pg_notify(${laneChannel}, news) from (
      (select ${dueNews}::text as news from ${touched} where is_free and not is_paused limit 1)
      union all
      select ${changedPrefix}::text || string_agg(webhook_id::text, ',') from ${touched}
      where not is_free having count(*) > 0
    ) as told`;
}

function instant(moment: Date): SQL {
  return sql`${moment.toISOString()}::timestamptz`;
}

function milliseconds(expression: SQL): SQL {
  return sql`(extract(epoch from ${expression}) * 1000)::float8`;
}
