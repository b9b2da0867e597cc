import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { MailKind } from '../../../mail/mail-kinds.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { accounts } from './accounts.ts';
import { instant } from '../columns.ts';
import { people } from './people.ts';

/**
 * Emails to members, each written down in the transaction that decided to send it. A row is kept after
 * the email was sent: nobody is told twice of one occasion.
 */
export const notices = pgTable(
  'sent_notices',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<MailKind>().notNull(),
    /** What it is about, such as the uuid of a key. */
    subjectId: text('subject_id').notNull(),
    /** Which time that it happens to this subject, such as when the key expires. */
    occasion: text('occasion').notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Names it to mail servers: each try has this Message-ID. */
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    createdAt: instant('created_at').notNull(),
    /** Null once it was sent or given up. */
    mail: jsonb('mail').$type<MailContent>(),
    tries: integer('tries').notNull(),
    /** When it is tried again unless the mail server took it; null once it is tried no more. */
    nextAttemptAt: instant('next_try_at'),
    sentAt: instant('sent_at'),
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.kind, table.subjectId, table.occasion, table.personId],
    }),
    index('sent_notices_person').on(table.personId),
    index('sent_notices_due')
      .on(table.nextAttemptAt)
      .where(sql`next_try_at is not null`),
  ],
);
