import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { MailKind } from '../../../mail/mail-kinds.ts';
import type { MailContent, MailRefusal } from '../../../mail/mail.ts';
import { accounts } from './accounts.ts';
import { instantColumn } from '../columns.ts';
import { people } from './people.ts';

/**
 * Emails to members, each stored in the transaction that decided to send it. A row is kept after
 * its email was sent, so that nobody gets two emails about one occasion.
 */
export const notices = pgTable(
  'sent_notices',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<MailKind>().notNull(),
    /** The subject of the email, such as the uuid of a key. */
    subjectId: text('subject_id').notNull(),
    /** Which of several events of this subject, such as the time at which the key expires. */
    occasion: text('occasion').notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Used in the Message-ID of each attempt, by which mail servers recognize the email. */
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    createdAt: instantColumn('created_at').notNull(),
    /** Null once the email was sent or given up. */
    mail: jsonb('mail').$type<MailContent>(),
    attemptCount: integer('tries').notNull(),
    /** When to try again if the mail server does not accept it; null after the last attempt. */
    nextAttemptAt: instantColumn('next_try_at'),
    sentAt: instantColumn('sent_at'),
    /**
     * When it turned out that it cannot be delivered: the mail server refused it, or it was given
     * up. Null again once the mail server accepts an email to the same person.
     */
    undeliverableSince: instantColumn('undeliverable_since'),
    /** What the mail server replied; null if it was given up without a refusal. */
    refusal: jsonb('refusal').$type<MailRefusal>(),
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.kind, table.subjectId, table.occasion, table.personId],
    }),
    index('sent_notices_person').on(table.personId),
    index('sent_notices_due')
      .on(table.nextAttemptAt)
      .where(sql`next_try_at is not null`),
    // For the support desk, over all accounts.
    index('sent_notices_undeliverable')
      .on(table.undeliverableSince)
      .where(sql`undeliverable_since is not null`),
  ],
);
