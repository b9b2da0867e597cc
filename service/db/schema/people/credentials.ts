import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

/** Read and written by better-auth; the property names are its field names. */
export const credentials = pgTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    accountId: text('subject').notNull(),
    providerId: text('provider').notNull(),
    userId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instantColumn('access_token_expires_at'),
    refreshTokenExpiresAt: instantColumn('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instantColumn('created_at').notNull().defaultNow(),
    updatedAt: instantColumn('updated_at').notNull().defaultNow(),
  },
  (table) => [index('credentials_person').on(table.userId)],
);

/** Like `credentials`, used by better-auth. */
export const verifications = pgTable('verifications', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: instantColumn('expires_at').notNull(),
  createdAt: instantColumn('created_at').notNull().defaultNow(),
  updatedAt: instantColumn('updated_at').notNull().defaultNow(),
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
