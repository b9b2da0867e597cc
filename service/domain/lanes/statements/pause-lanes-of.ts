import { sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { laneChannel, changedWebhookPrefix } from '../channel.ts';

/**
 * Pauses the pending deliveries of all webhooks of an account, in the transaction that deletes the
 * account. Attempts in progress end and are settled. The workers that hold the lanes are notified
 * at the commit.
 */
export async function pauseLanesOf(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.execute(sql`
    with locked as materialized (
      select webhook_id from lanes where account_id = ${accountId} order by webhook_id for update
    ), paused as (
      update lanes set is_paused = true
      from locked where lanes.webhook_id = locked.webhook_id
      returning lanes.webhook_id, owner
    )
    select pg_notify(${laneChannel}, ${changedWebhookPrefix}::text || webhook_id::text)
    from paused where owner is not null`);
}
