import { eq, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import type { AccountId } from '../../account-id.ts';
import {
  changedLanesPrefix,
  changedWebhookPrefix,
  laneChannel,
  lanesDueMessage,
} from '../channel.ts';
import { notifyWorkers } from '../store/sql-parts.ts';

/**
 * Locks a lane: nothing in it is claimed or completed until the transaction ends. For changes of many
 * deliveries of a webhook, because a completion locks their rows in another order.
 */
export async function lockLane(tx: Tx, webhookId: number): Promise<void> {
  await tx
    .select({ webhookId: lanes.webhookId })
    .from(lanes)
    .where(eq(lanes.webhookId, webhookId))
    .for('update');
}

type OneWebhook = { webhook: { id: number } };

/** Creates the lane of a new webhook, in the transaction that creates the webhook. */
export async function createLane(
  tx: Tx,
  { webhook }: { webhook: { accountId: string; id: number; isActive: boolean } },
): Promise<void> {
  const { id: webhookId, accountId, isActive } = webhook;
  await tx.insert(lanes).values({ webhookId, accountId, isPaused: !isActive });
}

/**
 * Pauses a webhook's pending deliveries, in the transaction that makes the webhook inactive.
 * Attempts in progress end and are completed. The worker that holds the lane is notified at the
 * commit.
 */
export async function pauseLane(tx: Tx, { webhook }: OneWebhook): Promise<void> {
  await tx.update(lanes).set({ isPaused: true }).where(eq(lanes.webhookId, webhook.id));
  await notifyOfChangedWebhook(tx, { webhook });
}

/**
 * Has the tests of an inactive webhook sent, and nothing else, in the transaction that queues one.
 * The completion of the last one pauses the lane again.
 */
export async function openLaneForTests(
  tx: Tx,
  { webhook, now }: OneWebhook & { now: Date },
): Promise<void> {
  await tx
    .update(lanes)
    .set({ isPaused: false, isForTests: true, ...becomesDue(now) })
    .where(eq(lanes.webhookId, webhook.id));
}

/**
 * Pauses the pending deliveries of all webhooks of an account, in the transaction that deletes the
 * account. Attempts in progress end and are completed. The workers that hold the lanes are notified
 * at the commit.
 */
export async function pauseLanesOf(tx: Tx, { accountId }: { accountId: AccountId }): Promise<void> {
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

/**
 * Resumes a webhook's deliveries and resets its failures, in the transaction that activates the
 * webhook. Workers are notified at the commit.
 */
export async function resumeLane(
  tx: Tx,
  { webhook, now }: OneWebhook & { now: Date },
): Promise<void> {
  await tx
    .update(lanes)
    .set({
      isPaused: false,
      isForTests: false,
      ...becomesDue(now),
      failureCount: 0,
      failingSince: null,
      warningCount: 0,
    })
    .where(eq(lanes.webhookId, webhook.id));
  await tx.execute(sql`
    select pg_notify(${laneChannel}, ${lanesDueMessage}),
      pg_notify(${laneChannel}, ${`${changedLanesPrefix}${webhook.id}`})`);
}

/** A lane that someone holds becomes due when it is completed. */
function becomesDue(now: Date) {
  return {
    isDirty: isNotNull(lanes.owner),
    wakeAt: sql`case when ${lanes.owner} is null then ${sqlInstant(now)} else ${lanes.wakeAt} end`,
  };
}

/**
 * Resumes deliveries to the active webhooks of an account, in the transaction that restores the
 * account. The time since `deletedAt` does not count towards how long a webhook has been failing.
 * Workers are notified at the commit.
 */
export async function resumeLanesOf(
  tx: Tx,
  { accountId, deletedAt, now }: { accountId: AccountId; deletedAt: Date; now: Date },
): Promise<void> {
  await tx.execute(sql`
    with locked as materialized (
      select webhook_id from lanes where account_id = ${accountId} order by webhook_id for update
    ), resumed as (
      update lanes set
        is_paused = false,
        is_dirty = owner is not null,
        wake_at = case when owner is null then ${sqlInstant(now)} else wake_at end,
        failing_since = failing_since + (${sqlInstant(now)} - ${sqlInstant(deletedAt)}),
        failing_announced_for = failing_announced_for + (${sqlInstant(now)} - ${sqlInstant(deletedAt)})
      from locked join webhooks on webhooks.id = locked.webhook_id and webhooks.is_active
      where lanes.webhook_id = locked.webhook_id
      returning lanes.webhook_id, owner is null as is_free, is_paused
    )
    ${notifyWorkers(sql`resumed`)}`);
}

/**
 * Notifies the worker that holds the lane, at the commit, that the webhook has another URL or
 * secret, or is paused or deleted: deliveries that the worker has read but not yet sent are out of
 * date.
 */
export async function notifyOfChangedWebhook(tx: Tx, { webhook }: OneWebhook): Promise<void> {
  await tx.execute(
    sql`select pg_notify(${laneChannel}, ${`${changedWebhookPrefix}${webhook.id}`})`,
  );
}
