import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Db, Tx } from '../../db/open.ts';
import { isAccountNotDeleted } from '../../db/account-not-deleted.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../account-id.ts';

export type ReplayRow = typeof replays.$inferSelect;

/** The events of a replay: those its webhook subscribes to, from `since` to before `until`. */
export type ReplayWindow = {
  webhook: { accountId: string; id: number; events: readonly EventType[] };
  since: Date;
  until: Date;
  statusFilter: ReplayRow['statusFilter'];
};

/** How many events a replay would queue, and the first of them. */
export type ReplayCount = { count: number; firstEventId: number | null };

export async function countReplayEvents(db: Db | Tx, window: ReplayWindow): Promise<ReplayCount> {
  const [row] = await db
    .select({
      count: sql`count(*)`.mapWith(Number),
      firstEventId: sql<number | string | null>`min(${events.id})`,
    })
    .from(events)
    .leftJoin(deliveries, isDeliveryTo(window.webhook.id))
    .where(isInWindow(window));
  const first = row?.firstEventId ?? null;
  return { count: row?.count ?? 0, firstEventId: first === null ? null : Number(first) };
}

/** The id of the latest event of any account until this moment; 0 if there is none. */
export async function findEventIdAt(tx: Tx, moment: Date): Promise<number> {
  const [row] = await tx
    .select({ id: events.id })
    .from(events)
    .where(lte(events.createdAt, moment))
    .orderBy(desc(events.createdAt))
    .limit(1);
  return row?.id ?? 0;
}

export async function insertReplay(tx: Tx, row: typeof replays.$inferInsert): Promise<ReplayRow> {
  const [inserted] = await tx.insert(replays).values(row).returning();
  if (!inserted) throw new Error('an inserted replay came back without its row');
  return inserted;
}

/**
 * A running replay of the same window and choice of events, if there is one. Two replays whose
 * window ends "now" count as the same, although they began at different times; such a window ends
 * when the replay was created.
 */
export async function findIdenticalReplay(
  tx: Tx,
  { webhook, since, until, statusFilter }: ReplayWindow,
  now: Date,
): Promise<ReplayRow | null> {
  const isUntilNow = until.getTime() === now.getTime();
  const [row] = await tx
    .select()
    .from(replays)
    .where(
      and(
        eq(replays.accountId, webhook.accountId),
        eq(replays.webhookId, webhook.id),
        isRunning(),
        eq(replays.statusFilter, statusFilter),
        eq(replays.since, since),
        or(eq(replays.until, until), isUntilNow ? eq(replays.until, replays.createdAt) : undefined),
      ),
    )
    .orderBy(asc(replays.createdAt))
    .limit(1);
  return row ?? null;
}

/** A replay of a webhook that the account still has. */
export async function findReplayRow(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<{ replay: ReplayRow; webhookName: string } | null> {
  const [row] = await db
    .select({ replay: replays, webhookName: webhooks.name })
    .from(replays)
    .innerJoin(webhooks, eq(webhooks.id, replays.webhookId))
    .where(and(eq(replays.accountId, accountId), eq(replays.uuid, uuid)));
  return row ?? null;
}

/** The replay, locked: none of its steps runs until the transaction ends. */
export async function lockReplay(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'uuid'>,
): Promise<ReplayRow | null> {
  const [row] = await tx.select().from(replays).where(isReplay(replay)).for('update');
  return row ?? null;
}

export async function updateReplayRow(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'uuid'>,
  change: Partial<typeof replays.$inferInsert>,
): Promise<ReplayRow> {
  const [updated] = await tx.update(replays).set(change).where(isReplay(replay)).returning();
  if (!updated) throw new Error('a locked replay vanished');
  return updated;
}

/** Cancels the running replays of a webhook. */
export async function cancelRunningReplays(
  tx: Tx,
  webhook: { accountId: string; id: number },
  now: Date,
): Promise<void> {
  await tx
    .update(replays)
    .set({ state: 'cancelled', finishedAt: now })
    .where(
      and(eq(replays.accountId, webhook.accountId), eq(replays.webhookId, webhook.id), isRunning()),
    );
}

/**
 * Replays of all accounts that can advance: running, with a window that is over and an active
 * webhook.
 */
export async function listRunnableReplays(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ uuid: replays.uuid })
    .from(replays)
    .innerJoin(webhooks, and(eq(webhooks.id, replays.webhookId), eq(webhooks.isActive, true)))
    .where(and(isRunning(), lte(replays.until, now), isAccountNotDeleted(replays.accountId)))
    .orderBy(asc(replays.createdAt));
  return rows.map(({ uuid }) => uuid);
}

/**
 * A running replay with its webhook's present event types, locked; null if it is over, or another
 * process has locked it.
 */
export async function takeRunningReplay(
  tx: Tx,
  uuid: string,
): Promise<(ReplayRow & { subscribedTo: readonly EventType[] }) | null> {
  const [row] = await tx
    .select({ replay: replays, subscribedTo: webhooks.events })
    .from(replays)
    .innerJoin(webhooks, and(eq(webhooks.id, replays.webhookId), eq(webhooks.isActive, true)))
    .where(and(eq(replays.uuid, uuid), isRunning(), isAccountNotDeleted(replays.accountId)))
    .for('update', { of: replays, skipLocked: true });
  return row ? { ...row.replay, subscribedTo: row.subscribedTo } : null;
}

/** Cancelled replays of all accounts whose deliveries are not known to be cancelled completely. */
export async function listUnfinishedCancellations(db: Db): Promise<string[]> {
  const rows = await db
    .select({ uuid: replays.uuid })
    .from(replays)
    .where(isUnfinishedCancellation());
  return rows.map(({ uuid }) => uuid);
}

/** One of them, locked; null if it is finished, or another process has locked it. */
export async function takeUnfinishedCancellation(tx: Tx, uuid: string): Promise<ReplayRow | null> {
  const [row] = await tx
    .select()
    .from(replays)
    .where(and(eq(replays.uuid, uuid), isUnfinishedCancellation()))
    .for('update', { skipLocked: true });
  return row ?? null;
}

export type ReplayEvent = Pick<typeof events.$inferSelect, 'id' | 'type'> & {
  /** Whether the event already has a delivery to the webhook. */
  hasDelivery: boolean;
};

/** The next events of a window after the event with id `after`. */
export async function listReplayEvents(
  tx: Tx,
  window: ReplayWindow,
  page: { after: number; limit: number },
): Promise<ReplayEvent[]> {
  const rows = await tx
    .select({ id: events.id, type: events.type, deliveryId: deliveries.id })
    .from(events)
    .leftJoin(deliveries, isDeliveryTo(window.webhook.id))
    .where(and(isInWindow(window), gt(events.id, page.after)))
    .orderBy(asc(events.id))
    .limit(page.limit);
  return rows.map(({ id, type, deliveryId }) => ({ id, type, hasDelivery: deliveryId !== null }));
}

/** Queues deliveries of a webhook again, except for pending ones; returns how many. */
export async function requeueDeliveries(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'webhookId' | 'uuid'>,
  { eventIds, now }: { eventIds: readonly number[]; now: Date },
): Promise<number> {
  if (eventIds.length === 0) return 0;
  const requeued = await tx
    .update(deliveries)
    .set({ status: 'pending', dueAt: now, tries: 0, finishedAt: null, replayUuid: replay.uuid })
    .where(
      and(
        eq(deliveries.accountId, replay.accountId),
        eq(deliveries.webhookId, replay.webhookId),
        inArray(deliveries.eventId, [...eventIds]),
        ne(deliveries.status, 'pending'),
      ),
    )
    .returning({ one: sql`1` });
  return requeued.length;
}

/** Creates missing deliveries; returns how many. */
export async function insertMissingDeliveries(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'webhookId' | 'uuid'>,
  { missing, now }: { missing: readonly ReplayEvent[]; now: Date },
): Promise<number> {
  if (missing.length === 0) return 0;
  const inserted = await tx
    .insert(deliveries)
    .values(
      missing.map(({ id, type }) => ({
        accountId: replay.accountId,
        webhookId: replay.webhookId,
        eventId: id,
        eventType: type,
        status: 'pending' as const,
        dueAt: now,
        replayUuid: replay.uuid,
        createdAt: now,
      })),
    )
    .onConflictDoNothing({ target: [deliveries.webhookId, deliveries.eventId] })
    .returning({ one: sql`1` });
  return inserted.length;
}

function isInWindow({ webhook, since, until, statusFilter }: ReplayWindow) {
  return and(
    eq(events.accountId, webhook.accountId),
    inArray(events.type, [...webhook.events]),
    or(isNull(events.aboutWebhookId), ne(events.aboutWebhookId, webhook.id)),
    gte(events.createdAt, since),
    lt(events.createdAt, until),
    statusFilter === 'failed'
      ? or(isNull(deliveries.status), inArray(deliveries.status, ['failed', 'cancelled']))
      : or(isNull(deliveries.status), ne(deliveries.status, 'pending')),
  );
}

// The states are literals: a cached plan with a parameter for the state could not use the indexes
// that hold only one state.

function isRunning() {
  return sql`${replays.state} = 'running'`;
}

function isUnfinishedCancellation() {
  return and(sql`${replays.state} = 'cancelled'`, isNull(replays.finishedAt));
}

function isDeliveryTo(webhookId: number) {
  return and(eq(deliveries.webhookId, webhookId), eq(deliveries.eventId, events.id));
}

function isReplay({ accountId, uuid }: Pick<ReplayRow, 'accountId' | 'uuid'>) {
  return and(eq(replays.accountId, accountId), eq(replays.uuid, uuid));
}
