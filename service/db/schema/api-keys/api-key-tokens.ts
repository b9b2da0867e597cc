import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.ts';
import { bytes, instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';

/** The tokens of a key, of which only a digest is stored. At most 20 of a key are valid. */
export const apiKeyTokens = pgTable(
  'api_key_tokens',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    digest: bytes('digest').notNull(),
    lastFour: text('last_four').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    /** When the present token took the place of one that nobody had used; null for the first. */
    replacedUnusedAt: instantColumn('replaced_unused_at'),
    /** Who received the token in a response; null if it was never shown to anyone. */
    shownTo: jsonb('revealed_to').$type<ActorReference>(),
    /** When the dashboard showed it. Null once the person has it, and for tokens of the API. */
    unconfirmedSince: instantColumn('unconfirmed_since'),
    /** When that person was told by email that they have not confirmed it. */
    unconfirmedMailedAt: instantColumn('unconfirmed_mailed_at'),
    /** The token that becomes the newest again if the rotation that made this one is undone. */
    undoTokenId: integer('undo_token_id'),
    /** When a replaced token stops being valid; null for the newest token. */
    validUntil: instantColumn('valid_until'),
    /** When a rotation gave it that end; null for the newest token. */
    replacedAt: instantColumn('replaced_at'),
    firstUsedAt: instantColumn('first_used_at'),
    lastUsedAt: instantColumn('last_used_at'),
    lastUsedIp: text('last_used_ip'),
    lastUsedAgent: text('last_used_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.id] }),
    uniqueIndex('api_key_tokens_digest').on(table.digest),
    unique('api_key_tokens_id').on(table.id),
    // For the support desk, which searches all accounts.
    index('api_key_tokens_last_four').on(sql`lower(${table.lastFour})`),
    index('api_key_tokens_unconfirmed')
      .on(table.unconfirmedSince)
      .where(sql`unconfirmed_since is not null and unconfirmed_mailed_at is null`),
  ],
);

/** Tokens that were replaced before any use. They never work again; the digest finds their key. */
export const replacedTokens = pgTable(
  'api_key_replaced_tokens',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    digest: bytes('digest').notNull(),
    lastFour: text('last_four').notNull(),
    replacedAt: instantColumn('replaced_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.digest] }),
    uniqueIndex('api_key_replaced_tokens_digest').on(table.digest),
  ],
);

/** The calls of each token per hour in the last 30 days: what would stop working if it ended. */
export const tokenCalls = pgTable(
  'api_key_token_calls',
  {
    accountId: uuid('account_id').notNull(),
    tokenId: integer('token_id')
      .notNull()
      .references(() => apiKeyTokens.id, { onDelete: 'cascade' }),
    /** When the hour began, in UTC. */
    hour: instantColumn('hour').notNull(),
    calls: integer('calls').notNull(),
    firstAt: instantColumn('first_at').notNull().defaultNow(),
    lastAt: instantColumn('last_at').notNull().defaultNow(),
    minutes: integer('minutes').array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.tokenId, table.hour] }),
    index('api_key_token_calls_hour').on(table.hour),
    index('api_key_token_calls_account_hour').on(table.accountId, table.hour),
  ],
);

/** The addresses from which each token was used in the last 30 days: its latest 500. */
export const tokenAddresses = pgTable(
  'api_key_token_addresses',
  {
    accountId: uuid('account_id').notNull(),
    tokenId: integer('token_id')
      .notNull()
      .references(() => apiKeyTokens.id, { onDelete: 'cascade' }),
    /** In canonical form, as `canonicalAddress` returns it. */
    address: text('address').notNull(),
    lastUsedAt: instantColumn('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.tokenId, table.address] }),
    index('api_key_token_addresses_used').on(table.lastUsedAt),
  ],
);
