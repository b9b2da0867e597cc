import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  inArray,
  lte,
  sql,
  type SQL,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { errorsInsteadOfStatus } from '#lib/contract/deliveries/counted-status.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { attempts, deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';

/** A delivery of a webhook that the account still has, with the payload of its event. */
export async function findDeliveryRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<(DeliveryRow & { payload: string }) | null> {
  const latest = latestAttemptOf(db);
  const [row] = await db
    .select({ ...deliveryColumns(latest), payload: events.payload })
    .from(deliveries)
    .innerJoin(events, joinOnEvent())
    .leftJoinLateral(latest, sql`true`)
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .where(
      and(
        eq(deliveries.accountId, accountId),
        eq(webhooks.accountId, accountId),
        reference.kind === 'id'
          ? eq(deliveries.id, reference.id)
          : eq(deliveries.uuid, reference.uuid),
      ),
    );
  return row ?? null;
}

/** The delivery of an event to a webhook, with what was sent. */
export async function findSentRow(
  db: Db,
  webhook: { accountId: string; id: number },
  eventUuid: string,
): Promise<(StoredDelivery & { eventUuid: string; payload: string }) | null> {
  const [row] = await db
    .select({ ...getTableColumns(deliveries), eventUuid: events.uuid, payload: events.payload })
    .from(events)
    .innerJoin(deliveries, joinOnEvent())
    .where(
      and(
        columnsEqual(events, { accountId: webhook.accountId, uuid: eventUuid }),
        eq(deliveries.webhookId, webhook.id),
      ),
    );
  return row ?? null;
}

export async function listAttemptRows(
  db: Db | Tx,
  delivery: Pick<StoredDelivery, 'webhookId' | 'eventId'>,
): Promise<AttemptRow[]> {
  return await db
    .select()
    .from(attempts)
    .where(and(eq(attempts.webhookId, delivery.webhookId), eq(attempts.eventId, delivery.eventId)))
    .orderBy(asc(attempts.id));
}

/**
 * Queues a test delivery. It is due now, or just before all other pending deliveries of the
 * webhook. So it jumps the queue, without making the lane look further behind than it is.
 */
export async function insertTestDelivery(
  tx: Tx,
  row: Pick<StoredDelivery, 'accountId' | 'webhookId' | 'eventId' | 'eventType' | 'createdAt'>,
): Promise<StoredDelivery> {
  const waiting = alias(deliveries, 'waiting');
  const firstDue = tx
    .select({ dueAt: sql`min(${waiting.dueAt}) - interval '1 millisecond'` })
    .from(waiting)
    .where(and(eq(waiting.webhookId, row.webhookId), eq(waiting.status, 'pending')));
  const [inserted] = await tx
    .insert(deliveries)
    .values({
      ...row,
      status: 'pending',
      dueAt: sql`least(${sqlInstant(row.createdAt)}, ${firstDue})`,
    })
    .returning();
  if (!inserted) throw new Error('an inserted delivery was not returned');
  return inserted;
}

/** Queues a delivery that is due immediately; null if the webhook has one of this event. */
export async function insertMissingDelivery(
  tx: Tx,
  row: Pick<StoredDelivery, 'accountId' | 'webhookId' | 'eventId' | 'eventType' | 'createdAt'>,
): Promise<StoredDelivery | null> {
  const [inserted] = await tx
    .insert(deliveries)
    .values({ ...row, status: 'pending', dueAt: row.createdAt })
    .onConflictDoNothing({ target: [deliveries.webhookId, deliveries.eventId] })
    .returning();
  return inserted ?? null;
}

/**
 * Makes a delivery due for an attempt that someone requested. The schedule of a pending one
 * continues afterwards; a finished one starts the schedule again. Null if it no longer exists.
 */
export async function makeDeliveryDue(
  tx: Tx,
  delivery: Pick<StoredDelivery, 'webhookId' | 'eventId'>,
  now: Date,
): Promise<StoredDelivery | null> {
  const isPending = eq(deliveries.status, 'pending');
  const [row] = await tx
    .update(deliveries)
    .set({
      status: 'pending',
      dueAt: now,
      tries: sql`case when ${isPending} then ${deliveries.tries} else 0 end`,
      isRequested: true,
      scheduledAt: sql`case
        when ${isPending} and ${deliveries.isRequested} then ${deliveries.scheduledAt}
        when ${isPending} then ${deliveries.dueAt}
      end`,
      internalErrors: 0,
      replayUuid: sql`case when ${isPending} then ${deliveries.replayUuid} end`,
      finishedAt: null,
    })
    .where(
      and(eq(deliveries.webhookId, delivery.webhookId), eq(deliveries.eventId, delivery.eventId)),
    )
    .returning();
  return row ?? null;
}

/**
 * Cancels up to `limit` pending deliveries of a webhook, or of those that one replay queued;
 * returns how many. One that arrived before it was queued again becomes delivered instead, so that
 * a replay of failed events does not send it once more. One that waited for a retry when the replay
 * began waits for it again.
 */
export async function cancelPendingRows(
  tx: Tx,
  webhook: { accountId: string; id: number },
  { replayUuid, now, limit }: { replayUuid: string | null; now: Date; limit: number },
): Promise<number> {
  const waiting = and(
    columnsEqual(deliveries, {
      accountId: webhook.accountId,
      webhookId: webhook.id,
      status: 'pending',
    }),
    replayUuid === null ? undefined : eq(deliveries.replayUuid, replayUuid),
  );
  const isScheduled = sql`(${replayUuid !== null}::boolean and ${deliveries.scheduledAt} is not null)`;
  const found = await tx
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(waiting)
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .limit(limit);
  if (found.length === 0) return 0;
  const isFound = inArray(
    deliveries.eventId,
    found.map(({ eventId }) => eventId),
  );
  const arrivedAt = tx
    .select({
      at: sql`max(${attempts.startedAt} + ${attempts.durationMs} * interval '1 millisecond')`,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.webhookId, deliveries.webhookId),
        eq(attempts.eventId, deliveries.eventId),
        isSuccess,
      ),
    );
  await tx
    .update(deliveries)
    .set({
      status: sql`case
        when ${isScheduled} then 'pending'
        when (${arrivedAt}) is null then 'cancelled'
        else 'delivered'
      end`,
      dueAt: sql`case when ${isScheduled} then ${deliveries.scheduledAt} end`,
      isRequested: false,
      scheduledAt: null,
      ...(replayUuid !== null && {
        replayUuid: sql`case when ${isScheduled} then null else ${deliveries.replayUuid} end`,
      }),
      finishedAt: sql`case
        when not ${isScheduled} then coalesce((${arrivedAt}), ${sqlInstant(now)})
      end`,
    })
    .where(and(waiting, isFound));
  return found.length;
}

export type StoredDelivery = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

/** A delivery with its event's uuid and creation time, and with its latest attempt. */
export type DeliveryRow = StoredDelivery & {
  eventUuid: string;
  eventCreatedAt: Date;
  lastAttemptAt: Date | null;
  lastDurationMs: number | null;
};

/** The columns of a `DeliveryRow` in a query that joins the event and, lateral, `latest`. */
export function deliveryColumns(latest: ReturnType<typeof latestAttemptOf>) {
  return {
    ...getTableColumns(deliveries),
    eventUuid: events.uuid,
    eventCreatedAt: events.createdAt,
    lastAttemptAt: latest.startedAt,
    lastDurationMs: latest.durationMs,
  };
}

/** For a lateral join: the last entry of the delivery's range in the key of attempts. */
export function latestAttemptOf(db: Db | Tx) {
  return db
    .select({ startedAt: attempts.startedAt, durationMs: attempts.durationMs })
    .from(attempts)
    .where(
      and(eq(attempts.webhookId, deliveries.webhookId), eq(attempts.eventId, deliveries.eventId)),
    )
    .orderBy(desc(attempts.id))
    .limit(1)
    .as('latest_attempt');
}

export function joinOnEvent() {
  return columnsEqual(events, { accountId: deliveries.accountId, id: deliveries.eventId });
}

/** Whether the status of an attempt counts, by the rule of `decideOutcome`. Never null. */
const isStatusCounted = sql`coalesce(${attempts.errorKind}, '') not in (${sql.raw(errorsInsteadOfStatus.map((kind) => `'${kind}'`).join(', '))})`;

/** Whether an attempt delivered: it got a 2xx status that counts. Never null. */
export const isSuccess = sql`(coalesce(${attempts.statusCode}, 0) between 200 and 299 and ${isStatusCounted})`;

/** Whether an attempt says something about the receiver: our own errors do not. */
export const countsForReceiver = sql`coalesce(${attempts.errorKind}, '') <> 'internal'`;

/** The attempts of a webhook from `since` to `until` that say something about its receiver. */
export function attemptsInSpan(
  webhook: { accountId: string; id: number },
  span: { since: Date; until: Date },
): SQL | undefined {
  return and(
    columnsEqual(attempts, { accountId: webhook.accountId, webhookId: webhook.id }),
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
