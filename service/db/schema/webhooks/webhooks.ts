import { sql } from 'drizzle-orm';
import {
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
import type { EventType } from '#lib/contract/events/events.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import { accounts } from '../people/accounts.ts';
import { bytes, instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';

export const webhooks = pgTable(
  'webhooks',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    events: text('events').array().$type<EventType[]>().notNull(),
    /** Whether `events` has all types that `isInAll` names; a later version adds its own. */
    allEvents: boolean('all_events').notNull().default(false),
    /** Which of these events are sent; null: all. */
    filter: jsonb('filter').$type<FilterRule>(),
    /** The names of its static headers; their values are in `webhook_headers`. */
    headerNames: text('header_names').array().notNull().default([]),
    /** How many attempts may begin within a second; null: no limit. */
    maxPerSecond: integer('max_per_second'),
    /** Who is told of failures besides owners and admins, once the address is confirmed. */
    contactEmail: text('contact_email'),
    contactConfirmedAt: instantColumn('contact_confirmed_at'),
    /** The digest of the newest link that confirms the address; null once it is confirmed. */
    contactLinkDigest: bytes('contact_link_digest').unique(),
    contactLinkExpiresAt: instantColumn('contact_link_expires_at'),
    /** The occasion of the last email of each kind to the contact. */
    contactTold: jsonb('contact_told').$type<Record<string, string>>().notNull().default({}),
    isActive: boolean('is_active').notNull(),
    inactiveSince: instantColumn('inactive_since'),
    inactiveReason: text('inactive_reason'),
    createdAt: instantColumn('created_at').notNull(),
    /** Null if no audit entry said so when the column was added. */
    createdBy: jsonb('created_by').$type<ActorReference>(),
    updatedAt: instantColumn('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('webhooks_id').on(table.id),
    // Few have a filter: for others, publishing finds in it that there is none.
    index('webhooks_filtered')
      .on(table.accountId)
      .where(sql`filter is not null`),
    // Deactivated webhooks of all accounts, for the support desk.
    index('webhooks_deactivated')
      .on(table.inactiveSince)
      .where(sql`not is_active and inactive_reason not in ('setup', 'paused')`),
  ],
);

/** The static headers of webhooks that have some: their names and values as JSON, sealed. */
export const webhookHeaders = pgTable(
  'webhook_headers',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.webhookId] })],
);

/** Signing secrets, sealed. The newest one has no end; a replaced one signs until `valid_until`. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull(),
    sealed: bytes('sealed').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** Who received the secret in a response; null if it was never shown to anyone. */
    shownTo: jsonb('revealed_to').$type<ActorReference>(),
    /** When the dashboard showed it. Null once the person has it, and for secrets of the API. */
    unconfirmedSince: instantColumn('unconfirmed_since'),
    /** When that person was told by email that they have not confirmed it. */
    unconfirmedMailedAt: instantColumn('unconfirmed_mailed_at'),
    validUntil: instantColumn('valid_until'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.webhookId, table.uuid] }),
    index('webhook_secrets_unconfirmed')
      .on(table.unconfirmedSince)
      .where(sql`unconfirmed_since is not null and unconfirmed_mailed_at is null`),
  ],
);
