import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';
import { people } from './people.ts';
import { sessions } from './sessions.ts';

/** Who supports every account of the installation that allows it, members of it or not. */
export const installationSupport = pgTable('installation_support', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  addedAt: instantColumn('added_at').notNull(),
});

/**
 * The reasons for which installation support opened an account. Of the visits that have ended, only
 * the latest of each person is kept; the audit log has them all.
 */
export const supportVisits = pgTable(
  'support_visits',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().defaultRandom(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The session for which the reason was given; null once the session has ended. */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    reason: text('reason').notNull(),
    openedAt: instantColumn('opened_at').notNull(),
    endsAt: instantColumn('ends_at').notNull(),
    /** When an owner closed the account to installation support while the visit was open. */
    closedAt: instantColumn('closed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('support_visits_person').on(table.personId, table.accountId),
    index('support_visits_session').on(table.sessionId),
  ],
);

/**
 * Every search at the support desk, no matter what it found. They concern the installation, not an
 * account. Append-only like audit entries. The results that a search showed from an account are in
 * the audit log of that account.
 */
export const deskSearches = pgTable(
  'desk_searches',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instantColumn('at').notNull(),
    person: jsonb('person').$type<ActorReference>().notNull(),
    /** Null if a token was looked up, of which nothing is stored. */
    search: text('search'),
    /** How many results of each kind it found. */
    found: jsonb('found').$type<DeskFinds>().notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
  },
  (table) => [
    index('desk_searches_at').on(table.at),
    index('desk_searches_person').on(sql`(person ->> 'id')`, table.id),
  ],
);

/** How many results of each kind a search found, at most as many as the support desk shows. */
export type DeskFinds = {
  accounts: number;
  keys: number;
  webhooks: number;
  deliveries: number;
  people: number;
};
