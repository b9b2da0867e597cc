import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type {
  DeclineReason,
  RequestAct,
  RequestObstacle,
  RequestReason,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { accounts } from '../people/accounts.ts';
import { apiKeys } from './api-keys.ts';
import { instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';
import { people } from '../people/people.ts';
import { webhooks } from '../webhooks/webhooks.ts';

/**
 * A member's request that another member does what the first one must not do: rotate a key, or
 * regenerate the secret of a webhook or resume it. Nothing changes until the other member does it.
 * An open request expires at `expires_at`.
 */
export const rotationRequests = pgTable(
  'rotation_requests',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    act: text('act').$type<RequestAct>().notNull(),
    /** The key to rotate; null for the acts on a webhook. */
    apiKeyId: integer('api_key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** The webhook of the other acts. */
    webhookId: integer('webhook_id').references(() => webhooks.id, { onDelete: 'cascade' }),
    requestedById: text('requested_by_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The member who is asked, and who sees the token or secret if they make a new one. */
    memberId: text('member_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<RequestReason>().notNull(),
    note: text('note'),
    state: text('state').$type<RotationRequestState>().notNull(),
    createdAt: instantColumn('created_at').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
    closedAt: instantColumn('closed_at'),
    closedBy: jsonb('closed_by').$type<ActorReference>(),
    /** Why the request was closed, if not by its time or by an act on the request or its target. */
    closedBecause: text('closed_because').$type<RequestObstacle>(),
    declineReason: text('decline_reason').$type<DeclineReason>(),
    declineMessage: text('decline_message'),
    /** When the email about it was sent to the member; null if a limit of emails was reached. */
    mailedAt: instantColumn('mailed_at'),
    /** Whether an email about the result is still to be sent. */
    isOutcomeMailPending: boolean('owes_outcome').notNull().default(false),
    outcomeMailedAt: instantColumn('outcome_mailed_at'),
    /** The id of the person who was sent that email. It counts towards their limit of emails. */
    outcomeMailedTo: text('outcome_mailed_to'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    // A leak must not wait for another request, so its report is possible in addition to an open
    // one.
    uniqueIndex('rotation_requests_open_planned')
      .on(table.accountId, table.apiKeyId)
      .where(sql`state = 'open' and reason <> 'leaked'`),
    uniqueIndex('rotation_requests_open_leaks')
      .on(table.accountId, table.apiKeyId, table.requestedById)
      .where(sql`state = 'open' and reason = 'leaked'`),
    uniqueIndex('rotation_requests_open_webhook_acts')
      .on(table.accountId, table.webhookId, table.act)
      .where(sql`state = 'open' and reason <> 'leaked'`),
    uniqueIndex('rotation_requests_open_secret_leaks')
      .on(table.accountId, table.webhookId, table.requestedById)
      .where(sql`state = 'open' and reason = 'leaked'`),
    index('rotation_requests_listed').on(table.accountId, table.createdAt, table.uuid),
    // Of all accounts, for the support desk. A report of a leak outlives its 72 hours there.
    index('rotation_requests_unanswered')
      .on(table.createdAt)
      .where(sql`state = 'open' and reason <> 'leaked'`),
    index('rotation_requests_leaks')
      .on(table.createdAt)
      .where(sql`state in ('open', 'expired') and reason = 'leaked'`),
    index('rotation_requests_requester').on(table.requestedById, table.createdAt, table.uuid),
    index('rotation_requests_member').on(table.memberId, table.createdAt, table.uuid),
    index('rotation_requests_owing')
      .on(table.accountId)
      .where(sql`owes_outcome`),
    index('rotation_requests_mailed')
      .on(table.accountId, table.apiKeyId, table.memberId, table.mailedAt)
      .where(sql`mailed_at is not null`),
  ],
);
