import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { accounts } from '../people/accounts.ts';
import { addedByColumn, instantColumn } from '../columns.ts';

/** Events, each written in the transaction in which it happened. */
export const events = pgTable(
  'events',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique(),
    type: text('type').$type<EventType | TestEventType>().notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }),
    /** The webhook that the event is about, which never receives it; null if there is none. */
    aboutWebhookId: integer('about_webhook_id'),
    /** The body of every delivery of this event, exactly as it is signed and sent. */
    payload: text('payload').notNull(),
    /** The webhooks whose filter left the event out, each with the deciding clause; null: none. */
    filteredOut: jsonb('filtered_out').$type<Record<string, string>>(),
    /** The span that published it, which is the parent of its attempts; null without traces. */
    traceParent: text('trace_parent'),
    createdAt: instantColumn('created_at').notNull(),
    addedBy: addedByColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('events_added').on(table.accountId, table.addedBy, table.id),
    index('events_age').on(table.createdAt),
    // For deliveries about a conversation.
    index('events_conversation')
      .on(table.accountId, table.conversationId, table.id)
      .where(sql`conversation_id is not null`),
    // For events of one type that are about keys and webhooks, which are few among many messages.
    index('events_type_of_few')
      .on(table.accountId, table.type, table.id)
      .where(sql`conversation_id is null`),
  ],
);
