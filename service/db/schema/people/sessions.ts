import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    digest: bytes('digest').notNull().unique(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instantColumn('created_at').notNull(),
    /** When it was last used, rounded to the minute. */
    lastUsedAt: instantColumn('last_used_at').notNull(),
    /** When a proof was last given in the session; opening it counts as one. */
    provedAt: instantColumn('proved_at').notNull(),
    /** The account that the session works in; null: the first one the person joined. */
    chosenAccountId: uuid('chosen_account_id').references(() => accounts.id, {
      onDelete: 'set null',
    }),
    /** Until when the token that the present one replaced can still read; null: there is none. */
    previousValidUntil: instantColumn('previous_valid_until'),
    /** How many wrong proofs were given in it since the last right one. */
    wrongProofs: integer('wrong_proofs').notNull().default(0),
  },
  (table) => [index('sessions_person').on(table.personId)],
);

/** Sign-ins with the right password that still need the second factor. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** The digest of the token with which the browser continues. */
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instantColumn('expires_at').notNull(),
    /** How many wrong second factors were given. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('pending_sign_ins_person').on(table.personId)],
);
