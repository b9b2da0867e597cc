import { and, desc, eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { isRetried } from './attempt-outcomes.ts';

/** The count for each status, up to the limit. */
type CountedDeliveries = Record<
  'all' | 'pending' | 'waiting' | 'delivered' | 'retried' | 'failed',
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
  const isOfWebhook = and(
    eq(deliveries.accountId, webhook.accountId),
    eq(deliveries.webhookId, webhook.id),
  );
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
    })
    .from(sql`(select 1) as once`);
  if (!row) throw new Error('the count returned no row');
  return row;
}

const newestCount = 10_000;

function countOf(rows: SQL) {
  return sql`(select count(*) from (${rows}) as counted)`.mapWith(Number);
}
