import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  lt,
  lte,
  not,
  sql,
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../db/open.ts';
import { attempts, conversations, deliveries, events, webhooks } from '../../db/schema.ts';
import type { AccountId } from '../account-id.ts';
import type { ResourceReference } from '../resource-reference.ts';

type StoredDelivery = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

/** A delivery with what names its event. */
export type DeliveryRow = StoredDelivery & { eventUuid: string; eventCreatedAt: Date };

const deliveryColumns = {
  ...getTableColumns(deliveries),
  eventUuid: events.uuid,
  eventCreatedAt: events.createdAt,
};

/**
 * Up to `limit` deliveries of a webhook, newest event first, which is the order of their key: a
 * page of a million reads no more than a page. `before` and `after` are ids of deliveries.
 */
export async function listDeliveryRows(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  filter: {
    status: StoredDelivery['status'] | undefined;
    /** Whether those that `isRetried` are listed alone, or the others; undefined: all. */
    retried: boolean | undefined;
    type: StoredDelivery['eventType'] | undefined;
    subject: DeliverySubject | undefined;
    /** Of the latest answer; not 2xx, which `deliveries_refused` does not hold. */
    statusCode: number | undefined;
    since: Date | undefined;
    until: Date | undefined;
    after: number | undefined;
    before: number | null;
    limit: number;
  },
): Promise<DeliveryRow[]> {
  const { status, retried, type, subject, statusCode, since, until, after, before } = filter;
  const isWanted = retried === true ? isRetried(db, webhook) : not(isRetried(db, webhook));
  const marked = alias(deliveries, 'marked');
  const eventOf = (id: number) =>
    db
      .select({ eventId: marked.eventId })
      .from(marked)
      .where(and(eq(marked.webhookId, webhook.id), eq(marked.id, id)));
  return await db
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, isItsEvent())
    .where(
      and(
        eq(deliveries.accountId, webhook.accountId),
        eq(deliveries.webhookId, webhook.id),
        status && eq(deliveries.status, status),
        retried === undefined ? undefined : isWanted,
        type && eq(deliveries.eventType, type),
        subject && isAbout(subject),
        statusCode === undefined
          ? undefined
          : and(eq(deliveries.lastStatusCode, statusCode), isRefused),
        since && gte(deliveries.createdAt, since),
        until && and(lt(deliveries.createdAt, until), isOfEventBelow(eventsUntil(db, until))),
        after === undefined
          ? undefined
          : gt(deliveries.eventId, sql`coalesce(${eventOf(after)}, 0)`),
        before === null ? undefined : isOfEventBelow(sql`${eventOf(before)}`),
      ),
    )
    .orderBy(desc(deliveries.eventId))
    .limit(filter.limit);
}

/** Said of both tables, because PostgreSQL does not conclude it of the other: it would read all above. */
function isOfEventBelow(id: SQL) {
  return and(lt(deliveries.eventId, id), lt(events.id, id));
}

/**
 * An id beyond those of all events made before a time, so that a page from long ago is read without
 * the deliveries since. No delivery is older than its event, and ids are given in the order of time
 * but for what waited, and for clocks that differ: five minutes are enough for both.
 */
function eventsUntil(db: Db | Tx, until: Date): SQL {
  const later = db
    .select({ id: events.id })
    .from(events)
    .where(gte(events.createdAt, sql`${until.toISOString()}::timestamptz + interval '5 minutes'`))
    .orderBy(asc(events.createdAt))
    .limit(1);
  return sql`coalesce(${later}, ${Number.MAX_SAFE_INTEGER}::bigint)`;
}

/** What deliveries can be about: one event, or all events of a conversation. */
export type DeliverySubject = { eventId: number } | { conversationId: number };

/** The event with this uuid or of the delivery with this uuid, or the conversation with it. */
export async function findDeliverySubject(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<DeliverySubject | null> {
  const [event] = await db
    .select({ eventId: events.id })
    .from(events)
    .where(and(eq(events.accountId, accountId), eq(events.uuid, uuid)));
  if (event) return event;
  const [delivery] = await db
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.uuid, uuid)));
  if (delivery) return delivery;
  const [conversation] = await db
    .select({ conversationId: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.accountId, accountId), eq(conversations.uuid, uuid)));
  return conversation ?? null;
}

function isAbout(subject: DeliverySubject) {
  return 'eventId' in subject
    ? eq(deliveries.eventId, subject.eventId)
    : eq(events.conversationId, subject.conversationId);
}

/** The condition of the index `deliveries_refused`, in its words. */
const isRefused = sql`${deliveries.lastStatusCode} >= 300`;

/** A delivery of a webhook that the account still has, with the payload of its event. */
export async function findDeliveryRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<(DeliveryRow & { payload: string }) | null> {
  const [row] = await db
    .select({ ...deliveryColumns, payload: events.payload })
    .from(deliveries)
    .innerJoin(events, isItsEvent())
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .where(
      and(
        eq(deliveries.accountId, accountId),
        reference.kind === 'id'
          ? eq(deliveries.id, reference.id)
          : eq(deliveries.uuid, reference.uuid),
      ),
    );
  return row ?? null;
}

export async function listAttemptRows(
  db: Db | Tx,
  delivery: Pick<StoredDelivery, 'webhookId' | 'eventId'>,
): Promise<AttemptRow[]> {
  return await db
    .select()
    .from(attempts)
    .where(and(eq(attempts.webhookId, delivery.webhookId), eq(attempts.eventId, delivery.eventId)))
    .orderBy(asc(attempts.id));
}

/**
 * Queues a delivery of a test: due just before everything else that waits for the webhook, or now.
 * So it jumps the queue, and does not make a lane look further behind than it is.
 */
export async function insertTestDelivery(
  tx: Tx,
  row: Pick<StoredDelivery, 'accountId' | 'webhookId' | 'eventId' | 'eventType' | 'createdAt'>,
): Promise<StoredDelivery> {
  const waiting = alias(deliveries, 'waiting');
  const firstDue = tx
    .select({ dueAt: sql`min(${waiting.dueAt}) - interval '1 millisecond'` })
    .from(waiting)
    .where(and(eq(waiting.webhookId, row.webhookId), eq(waiting.status, 'pending')));
  const [inserted] = await tx
    .insert(deliveries)
    .values({
      ...row,
      status: 'pending',
      dueAt: sql`least(${row.createdAt.toISOString()}::timestamptz, ${firstDue})`,
    })
    .returning();
  if (!inserted) throw new Error('an inserted delivery came back without its row');
  return inserted;
}

/** Makes a delivery due; one that was over begins the schedule of retries anew. Null if it is gone. */
export async function makeDeliveryDue(
  tx: Tx,
  delivery: Pick<StoredDelivery, 'webhookId' | 'eventId'>,
  now: Date,
): Promise<StoredDelivery | null> {
  const isPending = eq(deliveries.status, 'pending');
  const [row] = await tx
    .update(deliveries)
    .set({
      status: 'pending',
      dueAt: now,
      tries: sql`case when ${isPending} then ${deliveries.tries} else 0 end`,
      replayUuid: sql`case when ${isPending} then ${deliveries.replayUuid} end`,
      finishedAt: null,
    })
    .where(
      and(eq(deliveries.webhookId, delivery.webhookId), eq(deliveries.eventId, delivery.eventId)),
    )
    .returning();
  return row ?? null;
}

/** Cancels up to `limit` of what waits for a webhook, or of what one replay queued; says how many. */
export async function cancelPendingRows(
  tx: Tx,
  webhook: { accountId: string; id: number },
  about: { replayUuid: string | null; now: Date; limit: number },
): Promise<number> {
  const waiting = and(
    eq(deliveries.accountId, webhook.accountId),
    eq(deliveries.webhookId, webhook.id),
    eq(deliveries.status, 'pending'),
    about.replayUuid === null ? undefined : eq(deliveries.replayUuid, about.replayUuid),
  );
  const found = await tx
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(waiting)
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .limit(about.limit);
  if (found.length === 0) return 0;
  const isFound = inArray(
    deliveries.eventId,
    found.map(({ eventId }) => eventId),
  );
  await tx
    .update(deliveries)
    .set({ status: 'cancelled', dueAt: null, finishedAt: about.now })
    .where(and(waiting, isFound));
  return found.length;
}

/** Attempts that began in a bucket; bucket null: in all of them. */
export type AttemptCount = {
  /** How many whole buckets since 1970 lie before it. */
  bucket: number | null;
  delivered: number;
  failed: number;
  p50Ms: number;
  p95Ms: number;
};

/** What a webhook's attempts from `since` to `until` came to, without those that we failed ourselves. */
export async function countAttempts(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  window: { since: Date; until: Date; bucketSeconds: number },
): Promise<AttemptCount[]> {
  const bucket = sql`floor(extract(epoch from ${attempts.startedAt})::float8 / ${sql.raw(String(window.bucketSeconds))})`;
  const percentile = (fraction: number) =>
    sql`percentile_cont(${sql.raw(String(fraction))}) within group (order by ${attempts.durationMs})`.mapWith(
      Number,
    );
  const rows = await db
    .select({
      bucket: sql<number | string | null>`${bucket}`,
      delivered: sql`count(*) filter (where ${isSuccess})`.mapWith(Number),
      failed: sql`count(*) filter (where not ${isSuccess})`.mapWith(Number),
      p50Ms: percentile(0.5),
      p95Ms: percentile(0.95),
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.accountId, webhook.accountId),
        eq(attempts.webhookId, webhook.id),
        gte(attempts.startedAt, window.since),
        lte(attempts.startedAt, window.until),
        countsForReceiver,
      ),
    )
    .groupBy(sql`grouping sets ((${bucket}), ())`);
  return rows.map((row) => ({ ...row, bucket: row.bucket === null ? null : Number(row.bucket) }));
}

/** Deliveries that were made in a bucket, as they stand now; bucket null: in all of them. */
export type DeliveryCount = {
  bucket: number | null;
  total: number;
  delivered: number;
  deliveredAfterRetry: number;
  retrying: number;
  failed: number;
};

/** How a webhook's deliveries stand that were made from `since` to `until`. */
export async function countDeliveries(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  window: { since: Date; until: Date; bucketSeconds: number },
): Promise<DeliveryCount[]> {
  const bucket = sql`floor(extract(epoch from ${deliveries.createdAt})::float8 / ${sql.raw(String(window.bucketSeconds))})`;
  const made = db
    .select({
      bucket: sql<number | string | null>`${bucket}`.as('bucket'),
      status: deliveries.status,
      isRetried: sql<boolean>`${isRetried(db, webhook, window.since)}`.as('is_retried'),
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, webhook.accountId),
        eq(deliveries.webhookId, webhook.id),
        gte(deliveries.createdAt, window.since),
        lte(deliveries.createdAt, window.until),
      ),
    )
    .as('made');
  const countOf = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number);
  const rows = await db
    .select({
      bucket: made.bucket,
      total: sql`count(*)`.mapWith(Number),
      delivered: countOf(sql`${made.status} = 'delivered'`),
      deliveredAfterRetry: countOf(sql`${made.status} = 'delivered' and ${made.isRetried}`),
      retrying: countOf(sql`${made.status} = 'pending' and ${made.isRetried}`),
      failed: countOf(sql`${made.status} = 'failed'`),
    })
    .from(made)
    .groupBy(sql`grouping sets ((${made.bucket}), ())`);
  return rows.map((row) => ({ ...row, bucket: row.bucket === null ? null : Number(row.bucket) }));
}

/** The latest failed attempt of a webhook since a time; null if none failed. */
export async function findLastFailure(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  { since, until }: { since: Date; until: Date },
): Promise<AttemptRow | null> {
  const [row] = await db
    .select()
    .from(attempts)
    .where(
      and(
        eq(attempts.accountId, webhook.accountId),
        eq(attempts.webhookId, webhook.id),
        gte(attempts.startedAt, since),
        lte(attempts.startedAt, until),
        countsForReceiver,
        sql`not ${isSuccess}`,
      ),
    )
    .orderBy(desc(attempts.startedAt))
    .limit(1);
  return row ?? null;
}

/**
 * Whether an attempt delivered, as `decideOutcome` decides it: a 2xx counts unless the answer broke
 * off. Never null.
 */
const isSuccess = sql`(coalesce(${attempts.statusCode}, 0) between 200 and 299 and coalesce(${attempts.errorKind}, '') not in ('connection_reset', 'read_timeout'))`;

/** An attempt that failed through our own fault says nothing about the receiver. */
const countsForReceiver = sql`coalesce(${attempts.errorKind}, '') <> 'internal'`;

/**
 * Whether a delivery had a failed attempt and was delivered since or will be tried again. The first
 * condition is that of the index `deliveries_retried`: it leaves few deliveries whose attempts are
 * read. More attempts than one need not have failed: a replay sends again what was delivered.
 *
 * @param since when the deliveries were made at the earliest, so that no older attempts are read
 */
function isRetried(db: Db | Tx, webhook: { id: number }, since?: Date): SQL {
  const failedAttempt = db
    .select({ one: sql`1` })
    .from(attempts)
    .where(
      and(
        eq(attempts.webhookId, webhook.id),
        eq(attempts.eventId, deliveries.eventId),
        since && gte(attempts.startedAt, since),
        countsForReceiver,
        sql`not ${isSuccess}`,
      ),
    );
  return sql`((${deliveries.attemptCount} > 1 or (${deliveries.attemptCount} = 1 and ${deliveries.status} <> 'delivered')) and ${deliveries.status} in ('pending', 'delivered') and ${exists(failedAttempt)})`;
}

function isItsEvent() {
  return and(eq(events.accountId, deliveries.accountId), eq(events.id, deliveries.eventId));
}
