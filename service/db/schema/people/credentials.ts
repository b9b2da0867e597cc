import { pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

/** How a person signs in. Without a row nobody can sign in as them. */
export const credentials = pgTable('credentials', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  passwordHash: text('password_hash').notNull(),
});

/**
 * The newest link with which the person with this email can choose a new password. There is a row
 * for every email that was typed, known or not, so that both requests take equally long. Only a
 * digest of the link's token is stored; it works once.
 */
export const passwordResets = pgTable('password_resets', {
  email: text('email').primaryKey(),
  digest: bytes('digest').notNull().unique(),
  createdAt: instantColumn('created_at').notNull(),
  expiresAt: instantColumn('expires_at').notNull(),
});
