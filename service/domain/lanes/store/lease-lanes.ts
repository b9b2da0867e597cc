import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { sqlInstant } from '../../../db/statements/instants.ts';

/**
 * How a worker leases lanes, and how much it takes of each at once: a number of deliveries, and of
 * bytes of bodies.
 */
export type LeaseTerms = { owner: string; leaseEnd: Date; room: number; bytes: number };

/**
 * Leases the lanes in `chosen`, and returns the columns that `taken` needs. The commit may be
 * asynchronous, so the statement must include `asynchronousCommit`.
 */
export function leaseLanes(chosen: SQL, { owner, leaseEnd, room, bytes }: LeaseTerms): SQL {
  return sql`
    update lanes set owner = ${owner}::uuid, lease = lease + 1,
      wake_at = ${sqlInstant(leaseEnd)}, is_dirty = false
    from ${chosen}, relaxed where lanes.webhook_id = ${chosen}.webhook_id
    returning lanes.webhook_id, lanes.account_id, lease, failure_count,
      '-infinity'::timestamptz as after_due_at, 0::bigint as after_event_id, ${room}::int as room,
      ${bytes}::int as bytes, '{}'::bigint[] as held_ids`;
}
