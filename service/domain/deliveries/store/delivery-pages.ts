import {
  and,
  desc,
  eq,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  or,
  sql,
  type AnyColumn,
  type SQL,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../../db/open.ts';
import { conversations, messages } from '../../../db/schema/conversations.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import {
  isOnPage,
  orderOfPage,
  type FollowedList,
  type PagePosition,
} from '../../../db/statements/list-page.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';
import {
  deliveryColumns,
  isRetried,
  joinOnEvent,
  latestAttemptOf,
  type DeliveryRow,
  type StoredDelivery,
} from './deliveries.ts';

/**
 * Names the deliveries of a webhook that was found in its account. The index does not contain the
 * account: with a condition on it, PostgreSQL would plan the statement for each call.
 */
export function deliveriesOf(webhook: { id: number }): FollowedList {
  return { table: deliveries, where: eq(deliveries.webhookId, webhook.id) };
}

/**
 * Up to `limit` deliveries of a webhook, newest first by the time at which they were made; of a
 * range, in the order in which they were added. Those are the orders of two indexes, so a page is
 * read quickly even if there are millions.
 */
export async function listDeliveryRows(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  filter: {
    status: StoredDelivery['status'] | undefined;
    /** True: only deliveries that `isRetried`; false: only the others; undefined: all. */
    retried: boolean | undefined;
    /** True: only deliveries that a replay queued last; false: only the others; undefined: all. */
    replayed: boolean | undefined;
    type: StoredDelivery['eventType'] | undefined;
    subject: DeliverySubject | undefined;
    /** Status of the latest response. Never 2xx, which `deliveries_refused` does not contain. */
    statusCode: number | undefined;
    since: Date | undefined;
    until: Date | undefined;
    at: PagePosition;
    limit: number;
  },
): Promise<DeliveryRow[]> {
  const { status, retried, replayed, type, subject, statusCode, since, until, at } = filter;
  const isWanted = retried === true ? isRetried(db, webhook) : not(isRetried(db, webhook));
  const marked = alias(deliveries, 'marked');
  const isOlder = (id: number | null) => {
    if (id === null) return undefined;
    const time = sql`${db
      .select({ createdAt: marked.createdAt })
      .from(marked)
      .where(and(eq(marked.webhookId, webhook.id), eq(marked.id, id)))}`;
    // The first condition is for the index.
    return and(
      lte(deliveries.createdAt, time),
      or(lt(deliveries.createdAt, time), lt(deliveries.id, id)),
    );
  };
  const latest = latestAttemptOf(db);
  return await db
    .select(deliveryColumns(latest))
    .from(deliveries)
    .innerJoin(events, joinOnEvent())
    .leftJoinLateral(latest, sql`true`)
    .where(
      and(
        columnsEqual(deliveries, { accountId: webhook.accountId, webhookId: webhook.id }),
        status && eq(deliveries.status, status),
        retried === undefined ? undefined : isWanted,
        replayed === undefined
          ? undefined
          : replayed
            ? isNotNull(deliveries.replayUuid)
            : isNull(deliveries.replayUuid),
        type && eq(deliveries.eventType, type),
        subject && isAbout(subject),
        statusCode === undefined
          ? undefined
          : and(eq(deliveries.lastStatusCode, statusCode), isRefused),
        since && gte(deliveries.createdAt, since),
        until && lt(deliveries.createdAt, until),
        'before' in at ? isOlder(at.before) : isOnPage(deliveries, at),
      ),
    )
    .orderBy(
      ...('before' in at
        ? [desc(deliveries.createdAt), desc(deliveries.id)]
        : orderOfPage(deliveries, at)),
    )
    .limit(filter.limit);
}

/** What deliveries can be about: one event, or all events of a conversation. */
export type DeliverySubject = { eventId: number } | { conversationId: number };

/** The event, or that of the delivery or message, or the conversation with this uuid. */
export async function findDeliverySubject(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<DeliverySubject | null> {
  const [event] = await db
    .select({ eventId: events.id })
    .from(events)
    .where(columnsEqual(events, { accountId, uuid }));
  if (event) return event;
  const [delivery] = await db
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(columnsEqual(deliveries, { accountId, uuid }));
  if (delivery) return delivery;
  const [conversation] = await db
    .select({ conversationId: conversations.id })
    .from(conversations)
    .where(columnsEqual(conversations, { accountId, uuid }));
  return conversation ?? (await findEventOfMessage(db, accountId, uuid));
}

/** Both have the same creation time, so few payloads of a long conversation are read. */
async function findEventOfMessage(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<{ eventId: number } | null> {
  const [event] = await db
    .select({ eventId: events.id })
    .from(messages)
    .innerJoin(
      events,
      columnsEqual(events, {
        accountId: messages.accountId,
        conversationId: messages.conversationId,
        createdAt: messages.createdAt,
      }),
    )
    .where(
      and(
        columnsEqual(messages, { accountId, uuid }),
        eq(events.type, 'message.created'),
        sql`${events.payload}::jsonb #>> '{data,message,uuid}' = ${uuid}`,
      ),
    );
  return event ?? null;
}

function isAbout(subject: DeliverySubject) {
  return 'eventId' in subject
    ? eq(deliveries.eventId, subject.eventId)
    : eq(events.conversationId, subject.conversationId);
}

/** The condition of the index `deliveries_refused`, with the same wording. */
const isRefused = sql`${deliveries.lastStatusCode} >= 300`;

/** Something that deliveries are about, or one of these itself. */
export type Named =
  | { what: 'delivery'; eventId: number; webhookId: number }
  | { what: 'event'; eventId: number }
  /** The event is null once retention removed it. */
  | { what: 'message'; eventId: number | null; createdAt: Date }
  | { what: 'conversation'; conversationId: number; createdAt: Date };

/** Everything of the account that has this id. A UUID names one thing, an integer up to four. */
export async function listNamed(
  db: Db,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<Named[]> {
  const isNamed = ({ id, uuid }: { id: AnyColumn; uuid: AnyColumn }): SQL =>
    reference.kind === 'id' ? eq(id, reference.id) : eq(uuid, reference.uuid);
  const [ofDeliveries, ofEvents, ofMessages, ofConversations] = await Promise.all([
    db
      .select({ eventId: deliveries.eventId, webhookId: webhooks.id })
      .from(webhooks)
      .innerJoin(deliveries, eq(deliveries.webhookId, webhooks.id))
      .where(and(eq(webhooks.accountId, accountId), isNamed(deliveries))),
    db
      .select({ eventId: events.id })
      .from(events)
      .where(and(eq(events.accountId, accountId), isNamed(events))),
    db
      .select({ uuid: messages.uuid, createdAt: messages.createdAt })
      .from(messages)
      .where(and(eq(messages.accountId, accountId), isNamed(messages))),
    db
      .select({ conversationId: conversations.id, createdAt: conversations.createdAt })
      .from(conversations)
      .where(and(eq(conversations.accountId, accountId), isNamed(conversations))),
  ]);
  const [message] = ofMessages;
  const announced = message && (await findEventOfMessage(db, accountId, message.uuid));
  return [
    ...ofDeliveries.map((row) => ({ what: 'delivery' as const, ...row })),
    ...ofEvents.map((row) => ({ what: 'event' as const, ...row })),
    ...(message
      ? [
          {
            what: 'message' as const,
            eventId: announced?.eventId ?? null,
            createdAt: message.createdAt,
          },
        ]
      : []),
    ...ofConversations.map((row) => ({ what: 'conversation' as const, ...row })),
  ];
}

export type NamedDeliveryRow = Awaited<ReturnType<typeof listDeliveriesOf>>[number];

/** The delivery, or the deliveries about the event, message or conversation, newest event first. */
export async function listDeliveriesOf(
  db: Db,
  accountId: AccountId,
  { named, limit }: { named: Named; limit: number },
) {
  const latest = latestAttemptOf(db);
  return await db
    .select({
      ...deliveryColumns(latest),
      webhookName: webhooks.name,
      isWebhookActive: webhooks.isActive,
    })
    .from(events)
    .innerJoin(webhooks, eq(webhooks.accountId, events.accountId))
    .innerJoin(
      deliveries,
      and(eq(deliveries.webhookId, webhooks.id), eq(deliveries.eventId, events.id)),
    )
    .leftJoinLateral(latest, sql`true`)
    .where(and(eq(events.accountId, accountId), isOf(named)))
    .orderBy(desc(events.id), desc(webhooks.id))
    .limit(limit);
}

function isOf(named: Named): SQL | undefined {
  switch (named.what) {
    case 'delivery':
      return and(eq(events.id, named.eventId), eq(webhooks.id, named.webhookId));
    case 'event':
      return eq(events.id, named.eventId);
    case 'message':
      return named.eventId === null ? sql`false` : eq(events.id, named.eventId);
    case 'conversation':
      return eq(events.conversationId, named.conversationId);
  }
}
