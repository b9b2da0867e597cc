import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

/**
 * Read and written by better-auth; the property names are its field names, except for our own
 * columns.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instantColumn('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instantColumn('created_at').notNull().defaultNow(),
    updatedAt: instantColumn('updated_at').notNull().defaultNow(),
    /** When a proof was last given in the session; null: only at `created_at`. Our own column. */
    provedAt: instantColumn('proved_at'),
    /**
     * The account that the session works in; null: the first one the person joined. Our own column.
     */
    chosenAccountId: uuid('chosen_account_id').references(() => accounts.id, {
      onDelete: 'set null',
    }),
    /**
     * The digest of the token before `token`. It can be used for reading until
     * `previous_valid_until`. Our own column.
     */
    previousDigest: bytes('previous_digest'),
    previousValidUntil: instantColumn('previous_valid_until'),
    /** How many wrong proofs were given in it since the last right one. Our own column. */
    wrongProofs: integer('wrong_proofs').notNull().default(0),
  },
  (table) => [
    index('sessions_person').on(table.userId),
    uniqueIndex('sessions_previous_digest').on(table.previousDigest),
  ],
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
