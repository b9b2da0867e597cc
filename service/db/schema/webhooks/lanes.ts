import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { webhooks } from './webhooks.ts';

/** What workers claim: a webhook's queue, with the counters its attempts move. */
export const lanes = pgTable(
  'lanes',
  {
    webhookId: integer('webhook_id')
      .primaryKey()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    /** When it may be claimed: when something is due, or when its lease ends; null: asleep. */
    wakeAt: instant('wake_at'),
    /** Who holds the lease; null when free. */
    owner: uuid('owner'),
    /** Counts claims: a settlement must name the one it belongs to. */
    lease: bigint('lease', { mode: 'number' }).notNull().default(0),
    /** Something came due while it was leased. */
    isDirty: boolean('is_dirty').notNull().default(false),
    /** Its webhook is inactive: nothing is claimed. */
    isPaused: boolean('is_paused').notNull().default(false),
    /** Failed attempts since the last success; tests do not count. */
    failureCount: integer('failure_count').notNull().default(0),
    failingSince: instant('failing_since'),
    /** `failing_since` of the failures that were announced last. */
    failingAnnouncedFor: instant('failing_announced_for'),
    /** How many warnings of the coming deactivation were given: at half time, and a day ahead. */
    warningCount: integer('warning_count').notNull().default(0),
    lastTriggeredAt: instant('last_triggered_at'),
  },
  (table) => [
    index('lanes_wake')
      .on(table.wakeAt)
      .where(sql`wake_at is not null and not is_paused`),
    index('lanes_failing')
      .on(table.failingSince)
      .where(sql`failing_since is not null`),
    // Webhooks whose failing is still to be announced.
    index('lanes_failing_unannounced')
      .on(table.failingSince)
      .where(
        sql`failing_since is distinct from failing_announced_for and failing_since is not null`,
      ),
  ],
);

/**
 * The workers that are running. Every time is the database's, to the microsecond: the clocks of the
 * machines that workers run on do not matter.
 */
export const workers = pgTable('workers', {
  /** What its leases name. */
  owner: uuid('owner').primaryKey(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  /** The last heartbeat. */
  lastHeartbeatAt: timestamp('beats_at', { withTimezone: true }).notNull(),
  /** Start of its unbroken heartbeats; below the limit it may not declare others dead. */
  steadySince: timestamp('steady_since', { withTimezone: true }).notNull(),
});
