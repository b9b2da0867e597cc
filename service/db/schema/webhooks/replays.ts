import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from '../people/accounts.ts';
import { instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';

/** A window of past events that is sent to a webhook again, in steps. */
export const replays = pgTable(
  'replays',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    webhookId: integer('webhook_id').notNull(),
    since: instantColumn('since').notNull(),
    until: instantColumn('until').notNull(),
    /** `failed`: failed or never delivered; `all`: delivered too; `pending`: retries that wait. */
    statusFilter: text('status_filter').$type<'failed' | 'all' | 'pending'>().notNull(),
    /** Whether what waits for a retry is sent now as well. */
    sendsPending: boolean('sends_pending').notNull().default(false),
    /** Whether events from before the webhook was created are sent as well. */
    sendsEarlier: boolean('sends_earlier').notNull().default(false),
    /**
     * Of the backlog of a resumed webhook: when the webhook became inactive. Of earlier events, only
     * those that were given up are sent.
     */
    inactiveSince: instantColumn('inactive_since'),
    state: text('state').$type<'running' | 'done' | 'cancelled'>().notNull(),
    total: integer('total').notNull(),
    /** How many events were queued so far. */
    done: integer('done').notNull().default(0),
    /**
     * Of the backlog of a resumed webhook: the virtual ids of the transactions of PostgreSQL that
     * wrote events when its first step began, and may not have seen the webhook active. Null before
     * that step, and for other replays.
     */
    awaitedWriters: text('awaited_writers').array(),
    /** The last event that was considered. */
    cursorEventId: bigint('cursor_event_id', { mode: 'number' }).notNull().default(0),
    createdAt: instantColumn('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    finishedAt: instantColumn('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('replays_running')
      .on(table.createdAt)
      .where(sql`state = 'running'`),
    index('replays_cancelling')
      .on(table.uuid)
      .where(sql`state = 'cancelled' and finished_at is null`),
  ],
);
