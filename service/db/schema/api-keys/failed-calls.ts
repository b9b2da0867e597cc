import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CallFailure } from '#lib/contract/api-keys/failed-calls.ts';
import { instantColumn } from '../columns.ts';
import { apiKeys } from './api-keys.ts';

/** How many calls of each key were refused or failed in each hour, by the reason. */
export const failedCallCounts = pgTable(
  'api_key_failed_call_counts',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<CallFailure>().notNull(),
    /** When the hour began, in UTC. */
    hour: instantColumn('hour').notNull(),
    calls: integer('calls').notNull(),
    lastAt: instantColumn('last_at').notNull(),
    lastAddress: text('last_address').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.reason, table.hour] }),
    index('api_key_failed_call_counts_hour').on(table.hour),
  ],
);

/** The newest refused or failed calls of each key, so that a request id can be looked up. */
export const failedCalls = pgTable(
  'api_key_failed_calls',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    requestId: text('request_id').notNull(),
    at: instantColumn('at').notNull(),
    /** The name of the route; null for a path that does not exist. */
    route: text('route'),
    method: text('method').notNull(),
    status: integer('status').notNull(),
    reason: text('reason').$type<CallFailure>().notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.id] }),
    index('api_key_failed_calls_request').on(table.accountId, table.requestId),
    index('api_key_failed_calls_at').on(table.at),
  ],
);
