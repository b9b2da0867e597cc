import { and, asc, desc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import {
  attemptsInSpan,
  countedStatus,
  countsForReceiver,
  errorInstead,
  isRetried,
  isSuccess,
  type AttemptRow,
  type DeliveryRow,
} from './deliveries.ts';

/** Attempts that began in a bucket; bucket null: in all of them. */
export type AttemptCount = {
  /** How many whole buckets there are between 1970 and this one. */
  bucket: number | null;
  delivered: number;
  failed: number;
  p50Ms: number;
  p95Ms: number;
};

/** The results of attempts from `since` to `until`, without those of errors of our own. */
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
    .where(attemptsInSpan(webhook, window))
    .groupBy(sql`grouping sets ((${bucket}), ())`);
  return rows.map((row) => ({ ...row, bucket: row.bucket === null ? null : Number(row.bucket) }));
}

/** Deliveries created in a bucket, by present status; bucket null: in all buckets. */
export type DeliveryCount = {
  bucket: number | null;
  total: number;
  delivered: number;
  deliveredAfterRetry: number;
  retrying: number;
  failed: number;
  cancelled: number;
};

/** The present statuses of a webhook's deliveries that were created from `since` to `until`. */
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
        columnsEqual(deliveries, { accountId: webhook.accountId, webhookId: webhook.id }),
        gte(deliveries.createdAt, window.since),
        lte(deliveries.createdAt, window.until),
      ),
    )
    .as('made');
  const countWhere = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number);
  const rows = await db
    .select({
      bucket: made.bucket,
      total: sql`count(*)`.mapWith(Number),
      delivered: countWhere(sql`${made.status} = 'delivered'`),
      deliveredAfterRetry: countWhere(sql`${made.status} = 'delivered' and ${made.isRetried}`),
      retrying: countWhere(sql`${made.status} = 'pending' and ${made.isRetried}`),
      failed: countWhere(sql`${made.status} = 'failed'`),
      cancelled: countWhere(sql`${made.status} = 'cancelled'`),
    })
    .from(made)
    .groupBy(sql`grouping sets ((${made.bucket}), ())`);
  return rows.map((row) => ({ ...row, bucket: row.bucket === null ? null : Number(row.bucket) }));
}

/** The latest attempt since a time, or the latest failed one, with its event's type. */
export async function findLastAttempt(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  { since, until, hasFailed = false }: { since: Date; until: Date; hasFailed?: boolean },
): Promise<(AttemptRow & Pick<DeliveryRow, 'eventType'>) | null> {
  const [row] = await db
    .select({ attempt: attempts, eventType: deliveries.eventType })
    .from(attempts)
    .innerJoin(
      deliveries,
      and(eq(deliveries.webhookId, attempts.webhookId), eq(deliveries.eventId, attempts.eventId)),
    )
    .where(
      and(attemptsInSpan(webhook, { since, until }), hasFailed ? sql`not ${isSuccess}` : undefined),
    )
    .orderBy(desc(attempts.startedAt))
    .limit(1);
  return row ? { ...row.attempt, eventType: row.eventType } : null;
}

/** The most attempts of a webhook that began within one second; null if there were none. */
export async function countBusiestSecond(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  span: { since: Date; until: Date },
): Promise<number | null> {
  const [row] = await db
    .select({ begun: sql`count(*)`.mapWith(Number) })
    .from(attempts)
    .where(attemptsInSpan(webhook, span))
    .groupBy(sql`date_trunc('second', ${attempts.startedAt})`)
    .orderBy(desc(sql`count(*)`))
    .limit(1);
  return row?.begun ?? null;
}

/** The pending delivery of a webhook that is due first; null if none is pending. */
export async function findNextAttempt(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
): Promise<{ id: number; uuid: string; dueAt: Date } | null> {
  const [row] = await db
    .select({ id: deliveries.id, uuid: deliveries.uuid, dueAt: deliveries.dueAt })
    .from(deliveries)
    .where(
      columnsEqual(deliveries, {
        accountId: webhook.accountId,
        webhookId: webhook.id,
        status: 'pending',
      }),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .limit(1);
  return row?.dueAt ? { ...row, dueAt: row.dueAt } : null;
}

export type LatestFailure = Awaited<ReturnType<typeof listLatestFailures>>[number];

/**
 * The latest failed attempt of each of these webhooks, of any account, and how many deliveries of
 * it wait, counted up to `maxWaiting`.
 */
export async function listLatestFailures(
  db: Db,
  { webhookIds, maxWaiting }: { webhookIds: readonly number[]; maxWaiting: number },
) {
  if (webhookIds.length === 0) return [];
  const failure = db
    .select({
      statusCode: attempts.statusCode,
      errorMessage: attempts.errorMessage,
      responseBody: attempts.responseBody,
    })
    .from(attempts)
    .where(and(eq(attempts.webhookId, webhooks.id), countsForReceiver, sql`not ${isSuccess}`))
    .orderBy(desc(attempts.startedAt))
    .limit(1)
    .as('failure');
  const pending = db
    .select({ dueAt: deliveries.dueAt })
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.status, 'pending')))
    .orderBy(asc(deliveries.dueAt))
    .limit(maxWaiting)
    .as('pending');
  return await db
    .select({
      webhookId: webhooks.id,
      statusCode: failure.statusCode,
      errorMessage: failure.errorMessage,
      responseBody: failure.responseBody,
      waiting: sql`(select count(*) from ${pending})`.mapWith(Number),
      nextAttemptAt: sql`(select min(due_at) from ${pending})`.mapWith(deliveries.dueAt),
    })
    .from(webhooks)
    .leftJoinLateral(failure, sql`true`)
    .where(inArray(webhooks.id, [...webhookIds]));
}

/** Attempts with the same status, or with the same error in place of a status that counts. */
export type ResponseCount = {
  statusCode: number | null;
  errorKind: string | null;
  attempts: number;
};

/** The attempts of a span of time. The percentiles are null if no attempt got a response. */
export type ResponseCounts = {
  delivered: number;
  failed: number;
  responseP50Ms: number | null;
  responseP95Ms: number | null;
  responses: ResponseCount[];
};

/** The responses to attempts from `since` to `until`, without those of errors of our own. */
export async function countResponses(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  span: { since: Date; until: Date },
): Promise<ResponseCounts> {
  const percentile = (fraction: '0.5' | '0.95') =>
    sql<
      number | null
    >`percentile_cont(${sql.raw(fraction)}) within group (order by ${attempts.durationMs}) filter (where ${attempts.statusCode} is not null)`;
  const rows = await db
    .select({
      isTotal: sql<boolean>`grouping(${countedStatus}) = 1`,
      statusCode: sql<number | null>`${countedStatus}`,
      errorKind: sql<string | null>`${errorInstead}`,
      attempts: sql`count(*)`.mapWith(Number),
      delivered: sql`count(*) filter (where ${isSuccess})`.mapWith(Number),
      responseP50Ms: percentile('0.5'),
      responseP95Ms: percentile('0.95'),
    })
    .from(attempts)
    .where(attemptsInSpan(webhook, span))
    .groupBy(sql`grouping sets ((${countedStatus}, ${errorInstead}), ())`);
  const total = rows.find(({ isTotal }) => isTotal);
  const delivered = total?.delivered ?? 0;
  return {
    delivered,
    failed: (total?.attempts ?? 0) - delivered,
    responseP50Ms: total?.responseP50Ms ?? null,
    responseP95Ms: total?.responseP95Ms ?? null,
    responses: rows.filter(({ isTotal }) => !isTotal),
  };
}

/** The count for each status, up to the limit. */
type CountedDeliveries = Record<
  'all' | 'pending' | 'waiting' | 'delivered' | 'retried' | 'failed' | 'cancelled',
  number
>;

/**
 * Counts the deliveries of a webhook by status, each count up to `limit`. Rare statuses have their
 * own index; delivered ones have none and are counted among the newest deliveries.
 */
export async function countDeliveryTotals(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  limit: number,
): Promise<CountedDeliveries> {
  const isOfWebhook = columnsEqual(deliveries, {
    accountId: webhook.accountId,
    webhookId: webhook.id,
  });
  const upToLimit = (condition?: SQL) =>
    countOf(
      db
        .select({ one: sql`1`.as('one') })
        .from(deliveries)
        .where(and(isOfWebhook, condition))
        .limit(limit)
        .getSQL(),
    );
  const newest = db
    .select({ status: deliveries.status })
    .from(deliveries)
    .where(isOfWebhook)
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(newestCount)
    .as('newest');
  const delivered = db
    .select({ one: sql`1`.as('one') })
    .from(newest)
    .where(eq(newest.status, 'delivered'))
    .limit(limit);
  const [row] = await db
    .select({
      all: upToLimit(),
      pending: upToLimit(sql`${deliveries.status} = 'pending'`),
      // In the words of the index `deliveries_retried`.
      waiting: upToLimit(
        sql`(${deliveries.attemptCount} > 1 or (${deliveries.attemptCount} = 1 and ${deliveries.status} <> 'delivered')) and ${deliveries.status} = 'pending'`,
      ),
      delivered: countOf(delivered.getSQL()),
      retried: upToLimit(isRetried(db, webhook)),
      failed: upToLimit(sql`${deliveries.status} = 'failed'`),
      cancelled: upToLimit(sql`${deliveries.status} = 'cancelled'`),
    })
    .from(sql`(select 1) as once`);
  if (!row) throw new Error('the count returned no row');
  return row;
}

const newestCount = 10_000;

function countOf(rows: SQL) {
  return sql`(select count(*) from (${rows}) as counted)`.mapWith(Number);
}
