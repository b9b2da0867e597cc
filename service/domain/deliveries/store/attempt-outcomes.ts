import { and, eq, exists, gte, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';

/**
 * Whether an attempt delivered, by the rule of `decideOutcome`: a 2xx status counts unless the
 * response broke off. Never null.
 */
export const isSuccess = sql`(coalesce(${attempts.statusCode}, 0) between 200 and 299 and coalesce(${attempts.errorKind}, '') not in ('connection_reset', 'read_timeout'))`;

/**
 * Whether an attempt says something about the receiver. One that failed because of an error of this
 * service does not.
 */
export const countsForReceiver = sql`coalesce(${attempts.errorKind}, '') <> 'internal'`;

/** The attempts of a webhook from `since` to `until` that say something about its receiver. */
export function attemptsInSpan(
  webhook: { accountId: string; id: number },
  span: { since: Date; until: Date },
): SQL | undefined {
  return and(
    eq(attempts.accountId, webhook.accountId),
    eq(attempts.webhookId, webhook.id),
    gte(attempts.startedAt, span.since),
    lte(attempts.startedAt, span.until),
    countsForReceiver,
  );
}

/**
 * The status that an attempt got, if its response was complete, or too large to be read to its end.
 * An attempt has it or `errorInstead`.
 */
export const completeStatus = sql`case when coalesce(${attempts.errorKind}, 'response_too_large') = 'response_too_large' then ${attempts.statusCode} end`;

/** The kind of error of an attempt without a complete response. */
export const errorInstead = sql`nullif(${attempts.errorKind}, 'response_too_large')`;

/**
 * Whether a delivery had a failed attempt and was delivered since, or will be retried. The first
 * condition is that of the index `deliveries_retried`, which leaves few deliveries whose attempts
 * have to be read. Several attempts do not imply a failure: a replay sends delivered events again.
 *
 * @param since the earliest creation time of the deliveries, so that no older attempts are read
 */
export function isRetried(db: Db | Tx, webhook: { id: number }, since?: Date): SQL {
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
