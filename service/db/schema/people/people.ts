import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { bytes, instantColumn } from '../columns.ts';

export const people = pgTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  /**
   * Whether they accepted an invitation, or confirmed a new address, with a link that was not
   * emailed: nobody knows whether the address is theirs. False if an operator vouches for them.
   */
  isUnverified: boolean('is_unverified').notNull().default(false),
  /** The kinds of emails that they turned off. */
  turnedOffMails: text('turned_off_mails').array().$type<MailPreference[]>().notNull().default([]),
  /** When their accounts' audit logs last got an entry about failed sign-ins. */
  failedSignInsRecordedAt: instantColumn('failed_sign_ins_recorded_at'),
  createdAt: instantColumn('created_at').notNull().defaultNow(),
  updatedAt: instantColumn('updated_at').notNull().defaultNow(),
});

/** At most one row: the digest of the link that creates the first person. */
export const setUpTokens = pgTable('set_up_tokens', {
  digest: bytes('digest').primaryKey(),
  createdAt: instantColumn('created_at').notNull(),
  expiresAt: instantColumn('expires_at').notNull(),
});

/**
 * A request to change an email address. The row is kept as long as the previous address can revoke
 * the change, even after the change was cancelled: the person who requested and cancelled it has a
 * session and the password.
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
    /** The digest of the link that confirms the new address; null once used or cancelled. */
    confirmDigest: bytes('confirm_digest').unique(),
    /** The digest of the link that revokes the change. */
    revokeDigest: bytes('revoke_digest').notNull().unique(),
    /** Whether the links were emailed: then anyone who confirms reads the new address's emails. */
    isMailed: boolean('is_mailed').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    confirmableUntil: instantColumn('confirmable_until').notNull(),
    /** Null until the new address is confirmed. */
    confirmedAt: instantColumn('confirmed_at'),
    revocableUntil: instantColumn('revocable_until').notNull(),
  },
  (table) => [
    index('email_changes_person').on(table.personId),
    index('email_changes_old_email').on(table.oldEmail),
  ],
);
