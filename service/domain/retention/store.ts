import { and, eq, exists, gte, inArray, lt, ne, not, notExists, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { columnsEqual } from '../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';

// Retention concerns the installation: nothing here takes an account, and nothing read here leaves
// the service. Rows are locked with SKIP LOCKED: rows that someone is writing are left for the
// next time.

/** The position of an event in time, from which a search continues. */
export type OldEvent = { id: number; accountId: string; createdAt: Date };

/** Whether this transaction got the lock that lets one process remove rows. Never waits. */
export async function tryRetentionLock(tx: Tx): Promise<boolean> {
  const [row] = await tx
    .select({ isOurs: sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('retention', 0))` })
    .from(sql`(select 1) as one`);
  return row?.isOurs === true;
}

/** Events from before a moment, oldest first, whether they are finished or not. */
export async function listOldEvents(
  db: Db | Tx,
  search: { before: Date; after: OldEvent | null; limit: number },
): Promise<OldEvent[]> {
  const { before, after, limit } = search;
  return await db
    .select({ id: events.id, accountId: events.accountId, createdAt: events.createdAt })
    .from(events)
    .where(
      and(
        lt(events.createdAt, before),
        after === null
          ? undefined
          : sql`(${events.createdAt}, ${events.id}) > (${sqlInstant(after.createdAt)}, ${after.id}::bigint)`,
      ),
    )
    .orderBy(events.createdAt, events.id)
    .limit(limit);
}

/** Those events without a pending delivery that no running replay includes. */
export async function findFinishedEvents(
  db: Db | Tx,
  old: readonly OldEvent[],
): Promise<OldEvent[]> {
  return await db
    .select({ id: events.id, accountId: events.accountId, createdAt: events.createdAt })
    .from(events)
    .where(and(isAmong(old), notExists(pendingDeliveryOf(db)), notExists(replayStillTo(db))));
}

function pendingDeliveryOf(db: Db | Tx) {
  return db
    .select({ one: sql`1` })
    .from(webhooks)
    .innerJoin(
      deliveries,
      and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.eventId, events.id)),
    )
    .where(and(eq(webhooks.accountId, events.accountId), eq(deliveries.status, 'pending')));
}

function replayStillTo(db: Db | Tx) {
  return db
    .select({ one: sql`1` })
    .from(replays)
    .where(
      and(
        columnsEqual(replays, { accountId: events.accountId, state: 'running' }),
        gte(events.createdAt, replays.since),
        lt(events.createdAt, replays.until),
      ),
    );
}

/** Removes up to `limit` attempts of events. @returns how many */
export async function deleteAttemptsOf(
  tx: Tx,
  old: readonly OldEvent[],
  limit: number,
): Promise<number> {
  const some = tx
    .select({ id: attempts.id, webhookId: attempts.webhookId, eventId: attempts.eventId })
    .from(attempts)
    .where(
      and(inArray(attempts.webhookId, webhooksOf(tx, old)), inArray(attempts.eventId, idsOf(old))),
    )
    .limit(limit)
    .for('update', { skipLocked: true });
  return await deleteAttemptRows(tx, some);
}

/** Removes up to `limit` deliveries of events, but no pending one. @returns how many */
export async function deleteDeliveriesOf(
  tx: Tx,
  old: readonly OldEvent[],
  limit: number,
): Promise<number> {
  const some = tx
    .select({ webhookId: deliveries.webhookId, eventId: deliveries.eventId })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.webhookId, webhooksOf(tx, old)),
        inArray(deliveries.eventId, idsOf(old)),
        ne(deliveries.status, 'pending'),
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true });
  return await deleteDeliveryRows(tx, some);
}

/** Removes those of the events that have no deliveries left. */
export async function deleteEvents(tx: Tx, old: readonly OldEvent[]): Promise<number> {
  const delivery = tx
    .select({ one: sql`1` })
    .from(webhooks)
    .innerJoin(
      deliveries,
      and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.eventId, events.id)),
    )
    .where(eq(webhooks.accountId, events.accountId));
  const removed = await tx
    .delete(events)
    .where(and(isAmong(old), notExists(delivery)))
    .returning({ id: events.id });
  return removed.length;
}

/** Deleted webhooks that have left deliveries or attempts behind. */
export async function listDeletedWebhooks(db: Db | Tx): Promise<number[]> {
  const rows = await db
    .select({ id: sql<number>`id` })
    .from(
      sql`(${distinctWebhooks(deliveries)} union ${distinctWebhooks(attempts)}) as remembered (id)`,
    )
    .where(sql`not exists (select from ${webhooks} where ${webhooks.id} = remembered.id)`);
  return rows.map(({ id }) => id);
}

/** Steps through an index from webhook to webhook; `distinct` would read every row. */
function distinctWebhooks(table: typeof deliveries | typeof attempts) {
  return sql`(
    with recursive seen (id) as (
      select min(webhook_id) from ${table}
      union all
      select (select min(webhook_id) from ${table} where webhook_id > seen.id)
        from seen where seen.id is not null
    )
    select id from seen where id is not null
  )`;
}

export async function deleteAttemptsOfWebhook(
  tx: Tx,
  webhookId: number,
  limit: number,
): Promise<number> {
  const some = tx
    .select({ id: attempts.id, webhookId: attempts.webhookId, eventId: attempts.eventId })
    .from(attempts)
    .where(eq(attempts.webhookId, webhookId))
    .limit(limit)
    .for('update', { skipLocked: true });
  return await deleteAttemptRows(tx, some);
}

/** Removes up to `limit` deliveries of a deleted webhook, pending ones too. @returns how many */
export async function deleteDeliveriesOfWebhook(
  tx: Tx,
  webhookId: number,
  limit: number,
): Promise<number> {
  const some = tx
    .select({ webhookId: deliveries.webhookId, eventId: deliveries.eventId })
    .from(deliveries)
    .where(eq(deliveries.webhookId, webhookId))
    .limit(limit)
    .for('update', { skipLocked: true });
  return await deleteDeliveryRows(tx, some);
}

/** Removes up to `limit` old replays, or those whose webhook is gone. @returns how many */
export async function deleteReplays(tx: Tx, before: Date, limit: number): Promise<number> {
  const webhook = tx
    .select({ one: sql`1` })
    .from(webhooks)
    .where(eq(webhooks.id, replays.webhookId));
  const some = tx
    .select({ uuid: replays.uuid })
    .from(replays)
    .where(
      or(and(ne(replays.state, 'running'), lt(replays.finishedAt, before)), not(exists(webhook))),
    )
    .limit(limit)
    .for('update', { skipLocked: true });
  const removed = await tx
    .delete(replays)
    .where(inArray(replays.uuid, some))
    .returning({ uuid: replays.uuid });
  return removed.length;
}

async function deleteAttemptRows(tx: Tx, some: { getSQL(): ReturnType<typeof sql> }) {
  const removed = await tx
    .delete(attempts)
    .where(sql`(id, webhook_id, event_id) in ${some}`)
    .returning({ id: attempts.id });
  return removed.length;
}

async function deleteDeliveryRows(tx: Tx, some: { getSQL(): ReturnType<typeof sql> }) {
  const removed = await tx
    .delete(deliveries)
    .where(sql`(webhook_id, event_id) in ${some}`)
    .returning({ id: deliveries.id });
  return removed.length;
}

function webhooksOf(tx: Tx, old: readonly OldEvent[]) {
  return tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(inArray(webhooks.accountId, accountsOf(old)));
}

function isAmong(old: readonly OldEvent[]) {
  return and(inArray(events.id, idsOf(old)), inArray(events.accountId, accountsOf(old)));
}

function accountsOf(old: readonly OldEvent[]): string[] {
  return [...new Set(old.map(({ accountId }) => accountId))];
}

function idsOf(old: readonly OldEvent[]): number[] {
  return old.map(({ id }) => id);
}
