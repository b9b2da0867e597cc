import { and, eq, exists, gte, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { errorsInsteadOfStatus } from '#lib/contract/deliveries/counted-status.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';

/**
 * Whether the status of an attempt counts if it got one, by the rule of `decideOutcome`. Never
 * null.
 */
const isStatusCounted = sql`coalesce(${attempts.errorKind}, '') not in (${sql.raw(errorsInsteadOfStatus.map((kind) => `'${kind}'`).join(', '))})`;

/** Whether an attempt delivered: it got a 2xx status that counts. Never null. */
export const isSuccess = sql`(coalesce(${attempts.statusCode}, 0) between 200 and 299 and ${isStatusCounted})`;

/**
 * Whether an attempt says something about the receiver. One that failed because of an error of this
 * service does not.
 */
const countsForReceiver = sql`coalesce(${attempts.errorKind}, '') <> 'internal'`;

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

/** The status of an attempt, if it counts. An attempt has it or `errorInstead`. */
export const countedStatus = sql`case when ${isStatusCounted} then ${attempts.statusCode} end`;

/** The kind of error of an attempt without a status that counts. */
export const errorInstead = sql`case when ${countedStatus} is null then ${attempts.errorKind} end`;

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
