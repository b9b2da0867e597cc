import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import type { replays } from '../../../db/schema/webhooks/replays.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';

type ReplayRow = typeof replays.$inferSelect;

/** The events of a replay: those its webhook subscribes to, from `since` to before `until`. */
export type ReplayWindow = {
  webhook: { accountId: string; id: number; events: readonly EventType[]; createdAt: Date };
  since: Date;
  until: Date;
  /** Of a backlog: when the webhook became inactive. Of earlier events, only those given up. */
  inactiveSince?: Date | null;
} & ReplayChoice;

/** Which events of the window are sent. */
type ReplayChoice = Pick<ReplayRow, 'statusFilter'> &
  Partial<Pick<ReplayRow, 'sendsPending' | 'sendsEarlier'>>;

/** How many events a replay would queue, and the first of them. */
export type ReplayCount = { count: number; firstEventId: number | null };

/** How many events of each kind a window has, whether they are sent or not. */
type ReplayKinds = Record<'failed' | 'delivered' | 'pending' | 'missed' | 'earlier', number>;

export async function countReplayEvents(
  db: Db | Tx,
  window: ReplayWindow,
): Promise<ReplayCount & { kinds: ReplayKinds }> {
  const isChosen = isSent(window);
  const { createdAt } = window.webhook;
  const countOf = (condition?: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number);
  const [row] = await db
    .select({
      count: countOf(isChosen),
      firstEventId: sql<number | string | null>`min(${events.id}) filter (where ${isChosen})`,
      failed: countOf(hasFailed),
      delivered: countOf(eq(deliveries.status, 'delivered')),
      pending: countOf(waitsForRetry),
      missed: countOf(and(isMissing, gte(events.createdAt, createdAt))),
      earlier: countOf(and(isMissing, lt(events.createdAt, createdAt))),
    })
    .from(events)
    .leftJoin(deliveries, isDeliveryTo(window.webhook.id))
    .where(isInWindow(window));
  if (!row) throw new Error('the count returned no row');
  const { count, firstEventId: first, ...kinds } = row;
  return { count, firstEventId: first === null ? null : Number(first), kinds };
}

/** The id of the latest event of any account until this moment; 0 if there is none. */
export async function findEventIdAt(tx: Tx, moment: Date): Promise<number> {
  const [row] = await tx
    .select({ id: events.id })
    .from(events)
    .where(lte(events.createdAt, moment))
    .orderBy(desc(events.createdAt))
    .limit(1);
  return row?.id ?? 0;
}

/** The id of the earliest event of any account after this moment; null if there is none. */
export async function findEventIdAfter(tx: Tx, moment: Date): Promise<number | null> {
  const [row] = await tx
    .select({ id: events.id })
    .from(events)
    .where(gt(events.createdAt, moment))
    .orderBy(asc(events.createdAt))
    .limit(1);
  return row?.id ?? null;
}

/** The last of the next `count` events of an account; null if it has no more than that. */
export async function findEndOfPage(
  tx: Tx,
  accountId: string,
  { after, count }: { after: number; count: number },
): Promise<number | null> {
  const [row] = await tx
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.accountId, accountId), gt(events.id, after)))
    .orderBy(asc(events.id))
    .offset(count)
    .limit(1);
  return row ? row.id - 1 : null;
}

/** Whether at least this many deliveries of a webhook are due. */
export async function areDeliveriesDue(
  tx: Tx,
  webhookId: number,
  { now, atLeast }: { now: Date; atLeast: number },
): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        // A literal: a cached plan with a parameter could not use the index `deliveries_due`.
        sql`${deliveries.status} = 'pending'`,
        lte(deliveries.dueAt, now),
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .offset(atLeast - 1)
    .limit(1);
  return found.length > 0;
}

type ReplayEvent = Pick<typeof events.$inferSelect, 'id' | 'type'> & {
  /** Whether the event already has a delivery to the webhook. */
  hasDelivery: boolean;
  /** Null if it was not asked for. */
  payload: string | null;
};

/** The next events of a window after the id `after`, and up to `upTo` unless it is null. */
export async function listReplayEvents(
  tx: Tx,
  window: ReplayWindow,
  {
    after,
    upTo,
    limit,
    withPayload,
  }: { after: number; upTo: number | null; limit: number; withPayload: boolean },
): Promise<ReplayEvent[]> {
  // For both tables, so that neither is read as a whole.
  const isOnPage = (id: typeof events.id | typeof deliveries.eventId) =>
    and(gt(id, after), upTo === null ? undefined : lte(id, upTo));
  const rows = await tx
    .select({
      id: events.id,
      type: events.type,
      deliveryId: deliveries.id,
      payload: withPayload ? events.payload : sql<null>`null`,
    })
    .from(events)
    .leftJoin(deliveries, and(isDeliveryTo(window.webhook.id), isOnPage(deliveries.eventId)))
    .where(and(isInWindow(window), isSent(window), isOnPage(events.id)))
    .orderBy(asc(events.id))
    .limit(limit);
  return rows.map(({ deliveryId, ...event }) => ({ ...event, hasDelivery: deliveryId !== null }));
}

/**
 * Queues deliveries of a webhook again, except for those whose status has changed so that the
 * replay does not include them; returns how many. For one that waits for a retry, the attempt is
 * extra: its schedule continues afterwards.
 */
export async function requeueDeliveries(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'webhookId' | 'uuid'> & ReplayChoice,
  { eventIds, now }: { eventIds: readonly number[]; now: Date },
): Promise<number> {
  if (eventIds.length === 0) return 0;
  const requeued = await tx
    .update(deliveries)
    .set({
      status: 'pending',
      dueAt: now,
      tries: sql`case when ${isPending} then ${deliveries.tries} else 0 end`,
      isRequested: isPending,
      scheduledAt: sql`case
        when ${isPending} and ${deliveries.isRequested} then ${deliveries.scheduledAt}
        when ${isPending} then ${deliveries.dueAt}
      end`,
      internalErrors: 0,
      finishedAt: null,
      replayUuid: replay.uuid,
    })
    .where(
      and(
        columnsEqual(deliveries, { accountId: replay.accountId, webhookId: replay.webhookId }),
        inArray(deliveries.eventId, [...eventIds]),
        hasChosenStatus(replay),
      ),
    )
    .returning({ one: sql`1` });
  return requeued.length;
}

/** Creates missing deliveries; returns how many. */
export async function insertMissingDeliveries(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'webhookId' | 'uuid'>,
  {
    missing,
    now,
  }: { missing: readonly (ReplayEvent & { filterError: string | null })[]; now: Date },
): Promise<number> {
  if (missing.length === 0) return 0;
  const inserted = await tx
    .insert(deliveries)
    .values(
      missing.map(({ id, type, filterError }) => ({
        accountId: replay.accountId,
        webhookId: replay.webhookId,
        eventId: id,
        eventType: type,
        status: 'pending' as const,
        dueAt: now,
        replayUuid: replay.uuid,
        filterError,
        createdAt: now,
      })),
    )
    .onConflictDoNothing({ target: [deliveries.webhookId, deliveries.eventId] })
    .returning({ one: sql`1` });
  return inserted.length;
}

/** The first event that was given up since a webhook began to fail, and how many there are. */
export async function findGivenUp(
  db: Db | Tx,
  { id, accountId, events: types }: ReplayWindow['webhook'],
  { failingSince, until }: { failingSince: Date; until: Date },
): Promise<{ count: number; since: Date | null }> {
  const [row] = await db
    .select({
      count: sql`count(*)`.mapWith(Number),
      since: sql`min(${events.createdAt})`.mapWith(events.createdAt),
    })
    .from(deliveries)
    .innerJoin(
      events,
      columnsEqual(events, { accountId: deliveries.accountId, id: deliveries.eventId }),
    )
    .where(
      and(
        columnsEqual(deliveries, { accountId, webhookId: id }),
        // A literal: a cached plan with a parameter could not use the index `deliveries_failed`.
        sql`${deliveries.status} = 'failed'`,
        inArray(deliveries.eventType, [...types]),
        gte(deliveries.finishedAt, failingSince),
        lt(events.createdAt, until),
      ),
    );
  return row ?? { count: 0, since: null };
}

/** Whether the webhook subscribes to an event of the window. */
function isInWindow({ webhook, since, until }: ReplayWindow) {
  return and(
    eq(events.accountId, webhook.accountId),
    inArray(events.type, [...webhook.events]),
    or(isNull(events.aboutWebhookId), ne(events.aboutWebhookId, webhook.id)),
    gte(events.createdAt, since),
    lt(events.createdAt, until),
  );
}

function isSent(window: ReplayWindow) {
  const { webhook, statusFilter, sendsEarlier, inactiveSince } = window;
  const isNew = sendsEarlier ? undefined : gte(events.createdAt, webhook.createdAt);
  return and(
    or(statusFilter === 'pending' ? undefined : and(isMissing, isNew), hasChosenStatus(window)),
    inactiveSince
      ? or(gte(events.createdAt, inactiveSince), eq(deliveries.status, 'failed'))
      : undefined,
  );
}

function hasChosenStatus({ statusFilter, sendsPending }: ReplayChoice) {
  return or(
    statusFilter === 'failed' ? hasFailed : undefined,
    statusFilter === 'all' ? ne(deliveries.status, 'pending') : undefined,
    statusFilter === 'pending' || sendsPending ? waitsForRetry : undefined,
  );
}

const isMissing = isNull(deliveries.status);
const isPending = eq(deliveries.status, 'pending');
const hasFailed = inArray(deliveries.status, ['failed', 'cancelled']);
/** Before its first attempt, a pending delivery is sent soon by itself. */
const waitsForRetry = and(isPending, gt(deliveries.attemptCount, 0));

function isDeliveryTo(webhookId: number) {
  return and(eq(deliveries.webhookId, webhookId), eq(deliveries.eventId, events.id));
}

/**
 * The transactions that are writing events, of any account. A statement that writes an event locks
 * the table, in a mode that no reader waits for, before it takes the snapshot in which it sees the
 * webhooks, and its transaction keeps this lock until it ends. So what is not listed sees everything
 * that was committed before.
 */
export async function listEventWriters(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ writer: string }>(sql`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'events'::regclass
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.map(({ writer }) => writer);
}

/** Whether one of these transactions has not ended. */
export async function isAnyWriting(tx: Tx, writers: readonly string[]): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from pg_locks
    where locktype = 'virtualxid' and virtualxid = any (${sql.param([...writers])}::text[])
    limit 1`);
  return rows.length > 0;
}
