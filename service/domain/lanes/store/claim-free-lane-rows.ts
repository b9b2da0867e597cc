import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { leaseLanes } from './lease-lanes.ts';
import type { LeaseTerms } from './lease-lanes.ts';
import { asynchronousCommit, idsIn } from './sql-parts.ts';
import { taken } from './taken-rows.ts';
import type { TakenRow } from './taken-rows.ts';

/** Leases those of these lanes that are free, and takes the first deliveries of each. */
export async function claimFreeLaneRows(
  db: Db,
  { webhookIds, now, ...terms }: LeaseTerms & { webhookIds: readonly number[]; now: Date },
): Promise<TakenRow[]> {
  const { rows } = await db.execute<TakenRow>(sql`
    with ${asynchronousCommit}, free as materialized (
      select webhook_id from lanes
      where webhook_id = any (${idsIn(webhookIds)}) and owner is null and not is_paused
      order by webhook_id
      -- With a limit that it does not know, the planner expects few lanes, and uses indexes.
      limit ${webhookIds.length}
      for update skip locked
    ), held as (${leaseLanes(sql`free`, terms)})
    ${taken(now)}`);
  return rows;
}
