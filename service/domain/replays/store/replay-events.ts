import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import type { replays } from '../../../db/schema/webhooks/replays.ts';

type ReplayRow = typeof replays.$inferSelect;

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

/** Whether at least this many deliveries of a webhook are due. */
export async function areDeliveriesDue(
  tx: Tx,
  webhookId: number,
  { now, atLeast }: { now: Date; atLeast: number },
): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        // A literal: a cached plan with a parameter could not use the index `deliveries_due`.
        sql`${deliveries.status} = 'pending'`,
        lte(deliveries.dueAt, now),
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventId))
    .offset(atLeast - 1)
    .limit(1);
  return found.length > 0;
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

function isDeliveryTo(webhookId: number) {
  return and(eq(deliveries.webhookId, webhookId), eq(deliveries.eventId, events.id));
}
