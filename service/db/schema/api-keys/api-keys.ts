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
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { accounts } from '../people/accounts.ts';
import { instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    name: text('name').notNull(),
    type: text('type').$type<KeyType>().notNull(),
    /** The scopes that were granted; null means every scope of the type, including future ones. */
    scopes: text('scopes').array().$type<Scope[]>(),
    allowedCidrs: text('allowed_cidrs').array().notNull().default([]),
    description: text('description'),
    /** In lower case. */
    tags: text('tags').array().notNull().default([]),
    /** The person to ask about the key. They may have left the account since. */
    responsibleId: text('responsible_id'),
    /** Their name when they were chosen. */
    responsibleName: text('responsible_name'),
    /** The key's own rate limit; null for the usual one. */
    rateLimitPerMinute: integer('rate_limit_per_minute'),
    /** Whether the key may call `rotateCallingApiKey`. */
    mayRotateItself: boolean('may_rotate_itself').notNull().default(false),
    expiresAt: instantColumn('expires_at'),
    createdAt: instantColumn('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    updatedAt: instantColumn('updated_at').notNull(),
    /** When calls with its tokens began to be refused; null if they are not. */
    pausedAt: instantColumn('paused_at'),
    pausedBy: jsonb('paused_by').$type<ActorReference>(),
    revokedAt: instantColumn('revoked_at'),
    revokedReason: text('revoked_reason'),
    revokedBy: jsonb('revoked_by').$type<ActorReference>(),
    /**
     * How many announcements of its expiry were made, or were already past when the expiry was set:
     * 7 days before, 1 day before, and at the expiry.
     */
    expiryNotices: integer('expiry_notices').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('api_keys_id').on(table.id),
    // For keys of all accounts with a name, at the support desk.
    index('api_keys_name').on(sql`lower(${table.name})`, table.id),
    // Keys of all accounts with announcements still to be made.
    index('api_keys_expiring')
      .on(table.expiresAt, table.id)
      .where(sql`revoked_at is null and expires_at is not null and expiry_notices < 3`),
    index('api_keys_revoked')
      .on(table.accountId, table.revokedAt, table.id)
      .where(sql`revoked_at is not null`),
    // Expired keys by their end, and all active ones.
    index('api_keys_not_revoked')
      .on(table.accountId, table.expiresAt, table.id)
      .where(sql`revoked_at is null`),
  ],
);
