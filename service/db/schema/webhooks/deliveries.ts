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
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { addedByColumn, instantColumn } from '../columns.ts';

// These tables have no reference to their webhook: deleting a webhook must not wait until a million
// rows are removed. Retention removes them; until then reads join the webhook.

/** An event on its way to one webhook: one row, however often it is sent. */
export const deliveries = pgTable(
  'deliveries',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    eventType: text('event_type').$type<EventType | TestEventType>().notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed' | 'cancelled'>().notNull(),
    /** When the next attempt may begin; null unless pending. */
    dueAt: instantColumn('due_at'),
    /** How many attempts were made in all. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Attempts since it was last queued: its position in the retry schedule. */
    tries: integer('tries').notNull().default(0),
    /** Whether someone requested the next attempt. */
    isRequested: boolean('is_requested').notNull().default(false),
    /** When the schedule's next attempt is due, while a requested one comes before it. */
    scheduledAt: instantColumn('scheduled_at'),
    /** Attempts with an internal error since it was last queued, or someone retried it. */
    internalErrors: integer('internal_errors').notNull().default(0),
    lastStatusCode: integer('last_status_code'),
    /** The last error, in a user's words; null after a success. */
    lastError: text('last_error'),
    /** The replay that queued it last; its attempts carry `Webhook-Replay`. */
    replayUuid: uuid('replay_uuid'),
    /** Why the filter of the webhook could not be evaluated; null if it was, or there was none. */
    filterError: text('filter_error'),
    createdAt: instantColumn('created_at').notNull(),
    finishedAt: instantColumn('finished_at'),
    addedBy: addedByColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    // The webhook comes first, so that the newest deliveries of one are found. A delivery whose
    // webhook is unknown is looked up for each webhook of its account.
    unique('deliveries_id').on(table.webhookId, table.id),
    index('deliveries_added').on(table.webhookId, table.addedBy, table.id),
    index('deliveries_due')
      .on(table.webhookId, table.dueAt, table.eventId)
      .where(sql`status = 'pending'`),
    // Tests that wait, of which there are few: an inactive webhook is sent nothing else.
    index('deliveries_tests_due')
      .on(table.webhookId, table.dueAt)
      .where(sql`status = 'pending' and event_type = 'webhook.test'`),
    // In the order of the list; for a window of time, in the list and in the statistics.
    index('deliveries_time').on(table.webhookId, table.createdAt, table.id),
    // A delivery whose first attempt succeeds is never in this index.
    index('deliveries_retried')
      .on(table.webhookId, table.createdAt, table.id)
      .where(sql`attempt_count > 1 or (attempt_count = 1 and status <> 'delivered')`),
    // People look for failed deliveries among a million others; a delivery that succeeds is never
    // in this index.
    index('deliveries_failed')
      .on(table.webhookId, table.createdAt, table.id)
      .where(sql`status = 'failed'`),
    // For events with such a delivery, in the order of the list of events.
    index('deliveries_given_up')
      .on(table.webhookId, table.eventId)
      .where(sql`status in ('failed', 'cancelled')`),
    // For deliveries by the status of the latest response; a delivery that succeeds immediately is
    // never in it.
    index('deliveries_refused')
      .on(table.webhookId, table.lastStatusCode, table.createdAt, table.id)
      .where(sql`last_status_code >= 300`),
    // Only for deliveries of replays.
    index('deliveries_replayed')
      .on(table.webhookId, table.createdAt, table.id)
      .where(sql`replay_uuid is not null`),
    index('deliveries_waiting_of_replay')
      .on(table.replayUuid)
      .where(sql`status = 'pending' and replay_uuid is not null`),
  ],
);

/** One attempt of a delivery, with its result. Rows are only added. */
export const attempts = pgTable(
  'attempts',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    number: integer('number').notNull(),
    startedAt: instantColumn('started_at').notNull(),
    /** From its start to its end in milliseconds, including the wait for a connection. */
    durationMs: integer('duration_ms').notNull(),
    /** How long the delivery had been due when the attempt began. */
    waitedMs: integer('waited_ms').notNull(),
    firstByteMs: integer('first_byte_ms'),
    url: text('url').notNull(),
    statusCode: integer('status_code'),
    errorKind: text('error_kind'),
    errorMessage: text('error_message'),
    requestHeaders: jsonb('request_headers').$type<Record<string, string>>().notNull(),
    responseHeaders: jsonb('response_headers').$type<Record<string, string>>(),
    responseBody: text('response_body'),
    isResponseTruncated: boolean('is_response_truncated').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId, table.id] }),
    index('attempts_time').on(table.webhookId, table.startedAt),
  ],
);
