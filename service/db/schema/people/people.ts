import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { bytes, instant } from '../columns.ts';

/** better-auth reads and writes it; property names are its field names, but for columns of ours. */
export const people = pgTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /**
   * Whether they accepted an invitation, or confirmed a new address, with a link that was not
   * mailed: then nobody knows whether the address is theirs. False where an operator vouches for them. Ours.
   */
  isUnverified: boolean('is_unverified').notNull().default(false),
  /** What they chose not to be told of by email. Ours. */
  turnedOffMails: text('turned_off_mails').array().$type<MailPreference[]>().notNull().default([]),
  image: text('image'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** One row at most: the digest of the link that makes the first person. */
export const setUpTokens = pgTable('set_up_tokens', {
  digest: bytes('digest').primaryKey(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/**
 * Somebody asked to change their email. The row stays while the previous address can take the change
 * back, also once it was cancelled: whoever asked and cancelled has a session and the password.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    /** Of the link that confirms the new address; null once it was used or the change cancelled. */
    confirmDigest: bytes('confirm_digest').unique(),
    /** Of the link that takes the change back. */
    revokeDigest: bytes('revoke_digest').notNull().unique(),
    /** Whether the links were emailed: then whoever confirms can read the new address's mail. */
    isMailed: boolean('is_mailed').notNull(),
    createdAt: instant('created_at').notNull(),
    confirmableUntil: instant('confirmable_until').notNull(),
    /** Null: not confirmed. */
    confirmedAt: instant('confirmed_at'),
    revocableUntil: instant('revocable_until').notNull(),
  },
  (table) => [
    index('email_changes_person').on(table.personId),
    index('email_changes_old_email').on(table.oldEmail),
  ],
);
