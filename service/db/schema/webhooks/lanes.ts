import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from '../columns.ts';
import { webhooks } from './webhooks.ts';

/** What workers claim: the queue of each webhook, with counters that its attempts change. */
export const lanes = pgTable(
  'lanes',
  {
    webhookId: integer('webhook_id')
      .primaryKey()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    /** When a delivery is due, or when its lease ends; null if there is nothing to do. */
    wakeAt: instantColumn('wake_at'),
    /** The worker that holds the lease; null if it is free. */
    owner: uuid('owner'),
    /** The number of claims so far. A completion must name the claim that it belongs to. */
    lease: bigint('lease', { mode: 'number' }).notNull().default(0),
    /** Whether a delivery came due while the lane was leased. */
    isDirty: boolean('is_dirty').notNull().default(false),
    /** Whether its webhook is inactive and no test waits: then the lane is not claimed. */
    isPaused: boolean('is_paused').notNull().default(false),
    /** Whether only tests are sent, because its webhook is inactive: until none waits. */
    isForTests: boolean('is_for_tests').notNull().default(false),
    /** Failed attempts since the last success; test events do not count. */
    failureCount: integer('failure_count').notNull().default(0),
    failingSince: instantColumn('failing_since'),
    /** The `failing_since` of the failures that were last announced. */
    failingAnnouncedFor: instantColumn('failing_announced_for'),
    /** When an attempt succeeded after failures that were announced; null once that is announced. */
    recoveredAt: instantColumn('recovered_at'),
    /** How many warnings of the deactivation were sent: one at half time, and one a day before. */
    warningCount: integer('warning_count').notNull().default(0),
    lastTriggeredAt: instantColumn('last_triggered_at'),
  },
  (table) => [
    index('lanes_wake')
      .on(table.wakeAt)
      .where(sql`wake_at is not null and not is_paused`),
    index('lanes_failing')
      .on(table.failingSince)
      .where(sql`failing_since is not null`),
    index('lanes_recovered')
      .on(table.recoveredAt)
      .where(sql`recovered_at is not null`),
    // Webhooks whose failing is not announced yet.
    index('lanes_failing_unannounced')
      .on(table.failingSince)
      .where(
        sql`failing_since is distinct from failing_announced_for and failing_since is not null`,
      ),
  ],
);

/** The running workers. Times are the database's, so that clocks of machines do not matter. */
export const workers = pgTable('workers', {
  /** The worker, as its leases name it. */
  owner: uuid('owner').primaryKey(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  lastHeartbeatAt: timestamp('beats_at', { withTimezone: true }).notNull(),
  /** The start of its uninterrupted heartbeats, after which it may declare others dead. */
  steadySince: timestamp('steady_since', { withTimezone: true }).notNull(),
});
