import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import type { CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import { instantColumn } from '../columns.ts';
import { apiKeys } from './api-keys.ts';

/**
 * How many calls of each key were made in each hour, by route and by what went wrong: an empty
 * `problem` is a success. `detail` tells apart what would mend it: the scope that the key lacks, the
 * address outside its networks, or the last four characters of the token that has ended.
 */
export const callCounts = pgTable(
  'api_key_call_counts',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** When the hour began, in UTC. */
    hour: instantColumn('hour').notNull(),
    /** The name of the route; empty for a path that does not exist. */
    route: text('route').notNull(),
    method: text('method').notNull(),
    problem: text('problem').$type<CallProblem | ''>().notNull(),
    detail: text('detail').notNull(),
    outcome: text('outcome').$type<CallOutcome>().notNull(),
    calls: integer('calls').notNull(),
    lastAt: instantColumn('last_at').notNull(),
    lastAddress: text('last_address').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'api_key_call_counts_pk',
      columns: [
        table.accountId,
        table.apiKeyId,
        table.hour,
        table.route,
        table.method,
        table.problem,
        table.detail,
      ],
    }),
    index('api_key_call_counts_hour').on(table.hour),
  ],
);

/**
 * Who called with each token in each hour: the first 50 of a key in the hour, and the calls of all
 * others together, without address and user agent.
 */
export const callers = pgTable(
  'api_key_callers',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** When the hour began, in UTC. */
    hour: instantColumn('hour').notNull(),
    tokenId: integer('token_id').notNull(),
    /** Empty for the others. */
    address: text('address').notNull(),
    /** Empty for the others, and for clients that send none. */
    userAgent: text('user_agent').notNull(),
    calls: integer('calls').notNull(),
    /** Those with a token that has ended, or from outside the networks of the key. */
    turnedAway: integer('turned_away').notNull(),
    firstAt: instantColumn('first_at').notNull(),
    lastAt: instantColumn('last_at').notNull(),
    lastRoute: text('last_route').notNull(),
    lastMethod: text('last_method').notNull(),
    lastStatus: integer('last_status').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'api_key_callers_pk',
      columns: [
        table.accountId,
        table.apiKeyId,
        table.hour,
        table.tokenId,
        table.address,
        table.userAgent,
      ],
    }),
    index('api_key_callers_hour').on(table.hour),
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
    reason: text('reason').$type<CallProblem>().notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.id] }),
    index('api_key_failed_calls_request').on(table.accountId, table.requestId),
    index('api_key_failed_calls_at').on(table.at),
  ],
);
