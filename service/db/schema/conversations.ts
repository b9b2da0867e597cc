import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './people/accounts.ts';
import { addedByColumn, instantColumn } from './columns.ts';

/** What clients store with a conversation or message, and the key that wrote it. */
const clientColumns = {
  metadata: jsonb('metadata').$type<Record<string, string>>().notNull().default({}),
  /** Null if it was written before this was recorded. */
  apiKeyId: integer('api_key_id'),
};

export const conversations = pgTable(
  'conversations',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    subject: text('subject').notNull(),
    contact: text('contact'),
    status: text('status').$type<'open' | 'closed'>().notNull(),
    ...clientColumns,
    /** How many events it has had; each takes the next number in the transaction that writes it. */
    lastSequence: bigint('last_sequence', { mode: 'number' }).notNull().default(0),
    createdAt: instantColumn('created_at').notNull(),
    closedAt: instantColumn('closed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('conversations_id').on(table.id),
    index('conversations_status').on(table.accountId, table.status, table.id),
    index('conversations_contact').on(table.accountId, table.contact, table.id),
    index('conversations_age').on(table.createdAt),
  ],
);

export const messages = pgTable(
  'messages',
  {
    accountId: uuid('account_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    author: text('author').$type<'contact' | 'agent' | 'bot'>().notNull(),
    text: text('text').notNull(),
    ...clientColumns,
    /** Its place among the events of the conversation; null if it was written before this was recorded. */
    sequence: bigint('sequence', { mode: 'number' }),
    createdAt: instantColumn('created_at').notNull(),
    addedBy: addedByColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.conversationId, table.id] }),
    unique('messages_id').on(table.id),
    index('messages_added').on(table.conversationId, table.addedBy, table.id),
    // With both columns, so that the primary key finds the messages of a conversation that is
    // erased.
    foreignKey({
      name: 'messages_conversation',
      columns: [table.accountId, table.conversationId],
      foreignColumns: [conversations.accountId, conversations.id],
    }).onDelete('cascade'),
  ],
);
