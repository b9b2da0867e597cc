import { and, desc, eq, sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { conversations, messages } from '../../../db/schema/conversations.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';
import { findEventOfMessage } from './delivery-pages.ts';
import { deliveryColumns, latestAttemptOf } from './delivery-rows.ts';

/** Something that deliveries are about, or one of these itself. */
export type Named =
  | { what: 'delivery'; eventId: number; webhookId: number }
  | { what: 'event'; eventId: number }
  /** The event is null once retention removed it. */
  | { what: 'message'; eventId: number | null }
  | { what: 'conversation'; conversationId: number };

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
      .select({ uuid: messages.uuid })
      .from(messages)
      .where(and(eq(messages.accountId, accountId), isNamed(messages))),
    db
      .select({ conversationId: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.accountId, accountId), isNamed(conversations))),
  ]);
  const [message] = ofMessages;
  const announced = message && (await findEventOfMessage(db, accountId, message.uuid));
  return [
    ...ofDeliveries.map((row) => ({ what: 'delivery' as const, ...row })),
    ...ofEvents.map((row) => ({ what: 'event' as const, ...row })),
    ...(message ? [{ what: 'message' as const, eventId: announced?.eventId ?? null }] : []),
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
    .where(and(eq(events.accountId, accountId), isAbout(named)))
    .orderBy(desc(events.id), desc(webhooks.id))
    .limit(limit);
}

function isAbout(named: Named): SQL | undefined {
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
