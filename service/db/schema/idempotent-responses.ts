import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './people/accounts.ts';
import { bytes, instant } from './columns.ts';

/**
 * Answers to requests that carried an `Idempotency-Key`, kept for 24 hours. Of those that hold a
 * token or secret, the ids of what was made stand in the answer's place.
 */
export const idempotentResponses = pgTable(
  'idempotent_answers',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Which API key or person sent it. */
    caller: text('caller').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestDigest: bytes('request_digest').notNull(),
    answer: jsonb('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.caller, table.route, table.key] }),
    index('idempotent_answers_age').on(table.createdAt),
  ],
);
