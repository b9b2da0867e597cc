import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { Role } from '#lib/contract/rights/roles.ts';
import { accounts } from './accounts.ts';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

export const members = pgTable(
  'members',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** When they last used the dashboard in this account, to the minute; null: never. */
    lastSeenAt: instantColumn('last_seen_at'),
    lastSeenAgent: text('last_seen_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.personId] }),
    index('members_person').on(table.personId),
  ],
);

/** An invitation to become a member. Only a digest of the link's token is stored; it works once. */
export const invitations = pgTable(
  'invitations',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    email: text('email').notNull(),
    role: text('role').$type<Role>().notNull(),
    digest: bytes('digest').notNull().unique(),
    /** Whether the link was emailed: then anyone who has it can read the emails to that address. */
    isMailed: boolean('is_mailed').notNull(),
    invitedById: text('invited_by_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: instantColumn('created_at').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    unique('invitations_email').on(table.accountId, table.email),
  ],
);
