import { and, asc, desc, eq, gte, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { attemptsInSpan, isRetried, isSuccess } from './attempt-outcomes.ts';
import type { AttemptRow, DeliveryRow } from './delivery-rows.ts';

/** Attempts that began in a bucket; bucket null: in all of them. */
export type AttemptCount = {
  /** How many whole buckets there are between 1970 and this one. */
  bucket: number | null;
  delivered: number;
  failed: number;
  p50Ms: number;
  p95Ms: number;
};

/**
 * The results of a webhook's attempts from `since` to `until`, except those that failed because of
 * an error of this service.
 */
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

/**
 * Deliveries that were created in a bucket, by their present status; bucket null: in all buckets.
 */
export type DeliveryCount = {
  bucket: number | null;
  total: number;
  delivered: number;
  deliveredAfterRetry: number;
  retrying: number;
  failed: number;
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

/**
 * The latest attempt of a webhook since a time, or the latest failed one, with the type of its
 * event; null if there is none.
 */
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

/** The pending delivery of a webhook that is due first; null if none is pending. */
export async function findNextAttempt(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
): Promise<{ id: number; uuid: string; dueAt: Date } | null> {
  const [row] = await db
    .select({ id: deliveries.id, uuid: deliveries.uuid, dueAt: deliveries.dueAt })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, webhook.accountId),
        eq(deliveries.webhookId, webhook.id),
        eq(deliveries.status, 'pending'),
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .limit(1);
  return row?.dueAt ? { ...row, dueAt: row.dueAt } : null;
}
