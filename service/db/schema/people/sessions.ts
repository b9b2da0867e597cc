import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytes, instant } from '../columns.ts';
import { people } from './people.ts';

/** better-auth reads and writes it; property names are its field names, but for columns of ours. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** When the password was given again within the session; null: only at `created_at`. Ours. */
    provedAt: instant('proved_at'),
    /** The account the session works in; null: the one the person joined first. Ours. */
    chosenAccountId: uuid('chosen_account_id').references(() => accounts.id, {
      onDelete: 'set null',
    }),
    /** The digest of the token before `token`, which reads until `previous_valid_until`. Ours. */
    previousDigest: bytes('previous_digest'),
    previousValidUntil: instant('previous_valid_until'),
  },
  (table) => [
    index('sessions_person').on(table.userId),
    uniqueIndex('sessions_previous_digest').on(table.previousDigest),
  ],
);

/** Sign-ins in which the password was right and the second factor is still asked for. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** Of the token by which the browser goes on. */
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** How often a second factor was given that is not right. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('pending_sign_ins_person').on(table.personId)],
);
