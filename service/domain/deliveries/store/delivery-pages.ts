import { and, desc, eq, gte, isNotNull, isNull, lt, lte, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../../db/open.ts';
import { isOnPage, orderOfPage } from '../../../db/statements/list-page.ts';
import type { PagePosition } from '../../../db/statements/list-page.ts';
import { conversations, messages } from '../../../db/schema/conversations.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import type { AccountId } from '../../account-id.ts';
import { isRetried } from './attempt-outcomes.ts';
import { deliveryColumns, joinOnEvent, latestAttemptOf } from './delivery-rows.ts';
import type { DeliveryRow, StoredDelivery } from './delivery-rows.ts';

/**
 * Up to `limit` deliveries of a webhook, newest first by the time at which they were made; of a
 * range, in the order in which they were added. Those are the orders of two indexes, so a page is read quickly even if
 * there are millions.
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
        eq(deliveries.accountId, webhook.accountId),
        eq(deliveries.webhookId, webhook.id),
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

/**
 * The event with this uuid, or the event of the delivery or message with it, or the conversation
 * with it.
 */
export async function findDeliverySubject(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<DeliverySubject | null> {
  const [event] = await db
    .select({ eventId: events.id })
    .from(events)
    .where(and(eq(events.accountId, accountId), eq(events.uuid, uuid)));
  if (event) return event;
  const [delivery] = await db
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), eq(deliveries.uuid, uuid)));
  if (delivery) return delivery;
  const [conversation] = await db
    .select({ conversationId: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.accountId, accountId), eq(conversations.uuid, uuid)));
  return conversation ?? (await findEventOfMessage(db, accountId, uuid));
}

/**
 * The event that announced a message. Both have the same creation time, so not all payloads of a
 * long conversation have to be read.
 */
export async function findEventOfMessage(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<{ eventId: number } | null> {
  const [event] = await db
    .select({ eventId: events.id })
    .from(messages)
    .innerJoin(
      events,
      and(
        eq(events.accountId, messages.accountId),
        eq(events.conversationId, messages.conversationId),
        eq(events.createdAt, messages.createdAt),
      ),
    )
    .where(
      and(
        eq(messages.accountId, accountId),
        eq(messages.uuid, uuid),
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
