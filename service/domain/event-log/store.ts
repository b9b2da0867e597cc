import { and, asc, desc, eq, gt, inArray, lt, notExists, exists, sql, type SQL } from 'drizzle-orm';
import type { listedOutcomes } from '#lib/contract/events/recorded-events.ts';
import { eventAccessOf, testEventType } from '#lib/contract/events/events.ts';
import type { Db, Tx } from '../../db/open.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import { isCreatedWithin, isOnPage, orderOfPage } from '../../db/statements/list-page.ts';
import type { FollowedList, PagePosition } from '../../db/statements/list-page.ts';
import type { AccountId } from '../account-id.ts';
import type { ResourceReference } from '../resource-reference.ts';

export type EventRow = typeof events.$inferSelect;

/** The events with these ids, and all events of these conversations. */
export type EventSubject = { eventIds: readonly number[]; conversationIds: readonly number[] };

type EventFilter = {
  type: EventRow['type'] | undefined;
  outcome: (typeof listedOutcomes)[number] | undefined;
  subject: EventSubject | undefined;
  since: Date | undefined;
  until: Date | undefined;
  at: PagePosition;
  limit: number;
};

export function eventsOf(accountId: AccountId): FollowedList {
  return { table: events, where: eq(events.accountId, accountId) };
}

/** Up to `limit` matching events of a page of an account. */
export async function listEventRows(
  db: Db | Tx,
  accountId: AccountId,
  filter: EventFilter,
): Promise<EventRow[]> {
  const { type, outcome, subject, at, limit } = filter;
  return await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        type && eq(events.type, type),
        // The condition of the index `events_type_of_few`.
        type && hasIndexOfType(type) ? sql`${events.conversationId} is null` : undefined,
        subject && isAbout(db, accountId, { subject, at, limit }),
        outcome && hasOutcome(db, accountId, { ...filter, outcome }),
        isCreatedWithin(events, filter),
        isOnPage(events, at),
      ),
    )
    .orderBy(...orderOfPage(events, at))
    .limit(limit);
}

/** Whether events of a type are in an index: those that are not about conversations, which are few. */
export function hasIndexOfType(type: EventRow['type']): boolean {
  return type === testEventType || eventAccessOf(type) !== null;
}

/** Reads the newest events of the conversations by their index, not all events of the account. */
function isAbout(
  db: Db | Tx,
  accountId: AccountId,
  { subject, at, limit }: { subject: EventSubject; at: PagePosition; limit: number },
): SQL {
  const { eventIds, conversationIds } = subject;
  const ofConversations = db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        inArray(events.conversationId, [...conversationIds]),
        isOnPage(events, at),
      ),
    )
    .orderBy(...orderOfPage(events, at))
    .limit(limit);
  // Not joined by `or`, for which the planner reads all events as well.
  return conversationIds.length === 0
    ? inArray(events.id, [...eventIds])
    : sql`${events.id} in (${ofConversations} union all
        select unnest(${sql.param([...eventIds])}::bigint[]))`;
}

/** The statuses are literals: a cached plan with a parameter could not use the partial indexes. */
const hasStatus = {
  failed: sql`${deliveries.status} = 'failed'`,
  cancelled: sql`${deliveries.status} = 'cancelled'`,
  pending: sql`${deliveries.status} = 'pending'`,
  delivered: sql`${deliveries.status} = 'delivered'`,
};

/**
 * Whether an event has a delivery of this status. Nearly all events have a delivered one, so they
 * are read in the order of the page. Those with another status are few: they are read by an index
 * that contains only these.
 */
function hasOutcome(
  db: Db | Tx,
  accountId: AccountId,
  {
    outcome,
    type,
    since,
    until,
    at,
    limit,
  }: EventFilter & { outcome: keyof typeof hasStatus | 'none' },
): SQL {
  const ofEvent = (status?: SQL) =>
    db
      .select({ one: sql`1` })
      .from(webhooks)
      .innerJoin(
        deliveries,
        and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.eventId, events.id)),
      )
      .where(and(eq(webhooks.accountId, accountId), status));
  if (outcome === 'none') return notExists(ofEvent());
  const status = hasStatus[outcome];
  if (outcome === 'delivered' || !('before' in at)) return exists(ofEvent(status));
  const newest = db
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhooks.id),
        status,
        type && eq(deliveries.eventType, type),
        at.before === null ? undefined : lt(deliveries.eventId, at.before),
      ),
    )
    .orderBy(desc(deliveries.eventId))
    .$dynamic();
  // Of a window of time, any number of newer ones may come first.
  const isWholePage = since === undefined && until === undefined;
  const found = (isWholePage ? newest.limit(limit) : newest).as('found');
  const ids = db
    .select({ eventId: found.eventId })
    .from(webhooks)
    .crossJoinLateral(found)
    .where(eq(webhooks.accountId, accountId));
  return inArray(events.id, ids);
}

/** The newest events of an account since a moment, without their payloads, newest first. */
export async function listNewestEvents(
  db: Db | Tx,
  accountId: AccountId,
  { since, limit }: { since: Date; limit: number },
): Promise<Pick<EventRow, 'id' | 'type' | 'aboutWebhookId'>[]> {
  return await db
    .select({ id: events.id, type: events.type, aboutWebhookId: events.aboutWebhookId })
    .from(events)
    .where(
      and(eq(events.accountId, accountId), isCreatedWithin(events, { since, until: undefined })),
    )
    .orderBy(desc(events.id))
    .limit(limit);
}

/** These events of an account, newest first. */
export async function listEventsById(
  db: Db | Tx,
  accountId: AccountId,
  ids: readonly number[],
): Promise<EventRow[]> {
  return await db
    .select()
    .from(events)
    .where(and(eq(events.accountId, accountId), inArray(events.id, [...ids])))
    .orderBy(desc(events.id));
}

export async function findEventRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<EventRow | null> {
  const [row] = await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        reference.kind === 'id' ? eq(events.id, reference.id) : eq(events.uuid, reference.uuid),
      ),
    );
  return row ?? null;
}

/** A webhook of the event's account, with the event's delivery to it, if there is one. */
export type WebhookOfEvent = {
  webhook: typeof webhooks.$inferSelect;
  delivery: typeof deliveries.$inferSelect | null;
};

export async function listWebhooksByName(
  db: Db | Tx,
  accountId: AccountId,
): Promise<WebhookOfEvent['webhook'][]> {
  return await db
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId))
    .orderBy(asc(sql`lower(${webhooks.name})`), asc(webhooks.id));
}

export async function listDeliveriesOfEvents(
  db: Db | Tx,
  accountId: AccountId,
  listed: readonly EventRow[],
): Promise<(typeof deliveries.$inferSelect)[]> {
  if (listed.length === 0) return [];
  const found = db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhooks.id),
        sql`${deliveries.eventId} = any (${sql.param(listed.map(({ id }) => id))}::bigint[])`,
      ),
    )
    .as('found');
  const rows = await db
    .select({ found: found._.selectedFields })
    .from(webhooks)
    .crossJoinLateral(found)
    .where(eq(webhooks.accountId, accountId));
  return rows.map((row) => row.found);
}

/** The latest attempt of each of an event's deliveries. */
export async function listLastAttempts(
  db: Db | Tx,
  event: EventRow,
  made: readonly { webhookId: number }[],
): Promise<{ webhookId: number; durationMs: number; responseBody: string | null }[]> {
  if (made.length === 0) return [];
  return await db
    .selectDistinctOn([attempts.webhookId], {
      webhookId: attempts.webhookId,
      durationMs: attempts.durationMs,
      responseBody: attempts.responseBody,
    })
    .from(attempts)
    .where(
      and(
        inArray(
          attempts.webhookId,
          made.map(({ webhookId }) => webhookId),
        ),
        eq(attempts.eventId, event.id),
      ),
    )
    .orderBy(asc(attempts.webhookId), desc(attempts.id));
}

/** The most changes of a webhook that are read. */
export const maxChanges = 100;

/**
 * The newest changes of what each of the account's webhooks receives, newest first: when it was
 * created, paused, resumed and deactivated, and when its event types changed.
 */
export async function listWebhookChanges(db: Db | Tx, accountId: AccountId) {
  const entry = db
    .select({ at: auditEntries.at, action: auditEntries.action, changes: auditEntries.changes })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, accountId),
        sql`${auditEntries.target} ->> 'id' = ${webhooks.uuid}::text`,
        sql`(${auditEntries.action} in ('webhook.created', 'webhook.deactivated')
          or ${auditEntries.action} = 'webhook.updated'
            and ${auditEntries.changes} ?| array['is_active', 'events'])`,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(maxChanges)
    .as('entry');
  return await db
    .select({
      webhookId: webhooks.id,
      at: entry.at,
      action: entry.action,
      changes: entry.changes,
    })
    .from(webhooks)
    .crossJoinLateral(entry)
    .where(eq(webhooks.accountId, accountId));
}

const maxDeletedWebhooks = 20;

/**
 * Webhooks that were deleted after an event and are not newer than it, and subscribed to its type
 * when they were deleted; the latest first.
 */
export async function listDeletedWebhooks(
  db: Db | Tx,
  accountId: AccountId,
  event: EventRow,
): Promise<{ at: Date; uuid: string; name: string }[]> {
  const { rows } = await db.execute<{ at: string; uuid: string; name: string }>(sql`
    select deleted.at, deleted.target ->> 'id' as uuid, deleted.target ->> 'name' as name
    from ${auditEntries} as deleted
    where deleted.account_id = ${accountId}::uuid and deleted.action = 'webhook.deleted'
      and deleted.at > ${sqlInstant(event.createdAt)}
      and deleted.changes -> 'events' ? ${event.type}::text
      and not exists (
        select from ${auditEntries} as created
        where created.account_id = deleted.account_id
          and created.target ->> 'id' = deleted.target ->> 'id'
          and created.action = 'webhook.created' and created.at > ${sqlInstant(event.createdAt)})
    order by deleted.id desc
    limit ${maxDeletedWebhooks}`);
  return rows.map(({ at, ...webhook }) => ({ ...webhook, at: new Date(at) }));
}

/** The event next to a time or an integer id of an event, on one side of it. */
export async function findEventBeside(
  db: Db | Tx,
  accountId: AccountId,
  { place, side }: { place: Date | number; side: 'earlier' | 'later' },
): Promise<EventRow | null> {
  const isEarlier = side === 'earlier';
  const isBeside =
    place instanceof Date
      ? isCreatedWithin(events, {
          since: isEarlier ? undefined : place,
          until: isEarlier ? place : undefined,
        })
      : isEarlier
        ? lt(events.id, place)
        : gt(events.id, place);
  const [row] = await db
    .select()
    .from(events)
    .where(and(eq(events.accountId, accountId), isBeside))
    .orderBy(isEarlier ? desc(events.id) : asc(events.id))
    .limit(1);
  return row ?? null;
}

/** An event whose UUID begins like another one, which was mistyped or cut. */
export async function findSimilarEvent(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<EventRow | null> {
  const start = uuid.slice(0, 8);
  const [row] = await db
    .select()
    .from(events)
    .where(
      and(
        sql`${events.uuid} >= ${`${start}-0000-0000-0000-000000000000`}::uuid`,
        sql`${events.uuid} <= ${`${start}-ffff-ffff-ffff-ffffffffffff`}::uuid`,
        eq(events.accountId, accountId),
      ),
    )
    .limit(1);
  return row ?? null;
}
