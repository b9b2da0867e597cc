import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';
import { leaseLanes } from './lease-lanes.ts';
import type { LeaseTerms } from './lease-lanes.ts';
import { asynchronousCommit } from './sql-parts.ts';
import { selectTakenRows, withoutEmptyRow } from './select-taken-rows.ts';
import type { TakenRow } from './select-taken-rows.ts';

/**
 * How many due lanes a claim considers: enough that the lanes of one account do not hide another's.
 */
const consideredPerClaim = 1000;

/**
 * Leases due lanes and takes the first deliveries of each. Accounts take turns: if many lanes of
 * one account and a single lane of another are due, the single lane is among the first.
 */
export async function claimDueLanes(
  db: Db,
  options: LeaseTerms & { now: Date; limit: number; skipsExpiredLeases: boolean },
): Promise<{ rows: TakenRow[]; nextWakeMs: number | null; isMoreDue: boolean }> {
  const { owner, limit } = options;
  // In a subquery, so that the planner does not estimate how many lanes are due at this moment.
  // Otherwise it would plan the statement again for each claim, which takes as long as the claim
  // itself, and with old statistics it would expect few due lanes when there are thousands.
  const now = sql`(select ${sqlInstant(options.now)})`;
  const isDue = sql`lanes.wake_at <= ${now} and not lanes.is_paused
    and (${options.skipsExpiredLeases}::boolean and lanes.owner <> ${owner}::uuid) is not true`;
  // The planner assumes that a third of all lanes is due. Because it knows the order and the limit,
  // it uses the index of due lanes nevertheless.
  const longestDue = (atMost: number) => sql`
    select webhook_id, account_id, wake_at from lanes
    where ${isDue} order by wake_at limit ${sql.raw(String(atMost))}`;
  const { rows } = await db.execute<
    { next_wake_ms: number | null; is_more_due: boolean } & TakenRow
  >(sql`
    with ${asynchronousCommit}, candidates as materialized (
      select webhook_id, wake_at, row_number() over (partition by account_id order by wake_at) as turn
      from (${longestDue(consideredPerClaim)}) as longest_due
    ), due as materialized (
      select webhook_id from candidates join lanes using (webhook_id)
      -- For a few ids in an array, lanes are found by their index (see idsIn).
      where lanes.webhook_id = any (array(select webhook_id from candidates)) and ${isDue}
      order by turn, candidates.wake_at
      limit ${limit}
      for update of lanes skip locked
    ), held as (${leaseLanes(sql`due`, options)}
    ), taken as (${selectTakenRows(options.now)}), next as (
      select
        ${sqlMilliseconds(sql`(
          select wake_at from lanes where wake_at > ${now} and not is_paused and owner is null
          order by wake_at limit 1
        )`)} as next_wake_ms,
        exists (
          select from (${longestDue(consideredPerClaim + 1)}) as longest_due
          where webhook_id not in (select webhook_id from due)
        ) as is_more_due
    )
    select * from next left join taken on true`);
  return {
    rows: withoutEmptyRow(rows),
    nextWakeMs: rows[0]?.next_wake_ms ?? null,
    isMoreDue: rows[0]?.is_more_due ?? false,
  };
}
