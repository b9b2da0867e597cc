import { sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import type { AccountId } from '../../account-id.ts';
import { notifyWorkers } from '../store/sql-parts.ts';

/**
 * Resumes deliveries to the active webhooks of an account, in the transaction that restores the
 * account. The time since `pausedAt` does not count towards how long a webhook has been failing.
 * Workers are notified at the commit.
 */
export async function resumeLanesOf(
  tx: Tx,
  { accountId, pausedAt, now }: { accountId: AccountId; pausedAt: Date; now: Date },
): Promise<void> {
  await tx.execute(sql`
    with locked as materialized (
      select webhook_id from lanes where account_id = ${accountId} order by webhook_id for update
    ), resumed as (
      update lanes set
        is_paused = false,
        is_dirty = owner is not null,
        wake_at = case when owner is null then ${sqlInstant(now)} else wake_at end,
        failing_since = failing_since + (${sqlInstant(now)} - ${sqlInstant(pausedAt)}),
        failing_announced_for = failing_announced_for + (${sqlInstant(now)} - ${sqlInstant(pausedAt)})
      from locked join webhooks on webhooks.id = locked.webhook_id and webhooks.is_active
      where lanes.webhook_id = locked.webhook_id
      returning lanes.webhook_id, owner is null as is_free, is_paused
    )
    ${notifyWorkers(sql`resumed`)}`);
}
