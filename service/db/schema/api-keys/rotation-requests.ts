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
  RequestObstacle,
  RotationReason,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { accounts } from '../people/accounts.ts';
import { apiKeys } from './api-keys.ts';
import { instant } from '../columns.ts';
import type { ActorReference } from '../columns.ts';
import { people } from '../people/people.ts';

/**
 * A member asks another to rotate a key whose token they must not see themselves. Nothing happens
 * to the key until the named member does it; an open request is over at `expires_at`.
 */
export const rotationRequests = pgTable(
  'rotation_requests',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    requestedById: text('requested_by_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Who may rotate the key for this request and see its token. */
    memberId: text('member_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<RotationReason>().notNull(),
    note: text('note'),
    state: text('state').$type<RotationRequestState>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    closedAt: instant('closed_at'),
    closedBy: jsonb('closed_by').$type<ActorReference>(),
    /** What ended it, where neither its time nor an act on the request or the key did. */
    closedBecause: text('closed_because').$type<RequestObstacle>(),
    declineReason: text('decline_reason').$type<DeclineReason>(),
    declineMessage: text('decline_message'),
    /** When the member was sent an email about it; null if they had reached the limit of emails. */
    mailedAt: instant('mailed_at'),
    /** Whether somebody is yet to be told by email what became of it. */
    isOutcomeMailPending: boolean('owes_outcome').notNull().default(false),
    outcomeMailedAt: instant('outcome_mailed_at'),
    /** Id of the person who was sent that email, which counts against their limit of emails. */
    outcomeMailedTo: text('outcome_mailed_to'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    uniqueIndex('rotation_requests_open')
      .on(table.accountId, table.apiKeyId)
      .where(sql`state = 'open'`),
    index('rotation_requests_listed').on(table.accountId, table.createdAt, table.uuid),
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
