import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts } from '../../../db/schema/webhooks/deliveries.ts';
import { attemptsInSpan, countedStatus, errorInstead, isSuccess } from './attempt-outcomes.ts';

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

/**
 * The responses to a webhook's attempts from `since` to `until`, except attempts that failed because
 * of an error of this service.
 */
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
