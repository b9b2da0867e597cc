import { integer, pgTable, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '../people/accounts.ts';
import { instantColumn } from '../columns.ts';

/** The open streams of events of each account. The number of a stream bounds how many there are. */
export const eventStreams = pgTable(
  'event_streams',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    number: smallint('number').notNull(),
    uuid: uuid('uuid').notNull(),
    webhookId: integer('webhook_id').notNull(),
    /** When its process last said that it is open; a process that crashed says so no longer. */
    seenAt: instantColumn('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.number] })],
);
