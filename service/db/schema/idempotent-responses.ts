import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './people/accounts.ts';
import { bytes, instantColumn } from './columns.ts';

/**
 * Responses to requests with an `Idempotency-Key`, kept for 24 hours. If the response contained a
 * token or secret, only the ids of what was created are stored.
 */
export const idempotentResponses = pgTable(
  'idempotent_answers',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The API key or person that sent the request. */
    caller: text('caller').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestDigest: bytes('request_digest').notNull(),
    response: jsonb('answer'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.caller, table.route, table.key] }),
    index('idempotent_answers_age').on(table.createdAt),
  ],
);
