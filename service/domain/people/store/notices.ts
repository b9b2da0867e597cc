import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { people } from '../../../db/schema/people/people.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import type { MailContent, MailRefusal } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';

type NewNotice = Omit<typeof notices.$inferInsert, 'accountId' | 'uuid' | 'sentAt'>;

/**
 * Stores the notices of an occasion. People who already have a notice of that occasion are left
 * out.
 *
 * @returns the uuids of the new notices, by person
 */
export async function insertNotices(
  tx: Tx,
  accountId: AccountId,
  rows: readonly NewNotice[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const inserted = await tx
    .insert(notices)
    .values(rows.map((row) => ({ ...row, accountId })))
    .onConflictDoNothing()
    .returning({ uuid: notices.uuid, personId: notices.personId });
  return new Map(inserted.map(({ uuid, personId }) => [personId, uuid]));
}

/** A notice that is not sent yet, with its recipient. */
export type DueNotice = {
  uuid: string;
  mail: MailContent;
  attemptCount: number;
  email: string;
  name: string;
  turnedOff: MailPreference[];
  /** They are still a member, and the account was neither deleted nor restored since. */
  isFit: boolean;
};

/** Due notices of all accounts, longest due first, locked; those locked elsewhere are skipped. */
export async function lockDueNotices(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<DueNotice[]> {
  const rows = await tx
    .select({
      uuid: notices.uuid,
      mail: notices.mail,
      attemptCount: notices.attemptCount,
      email: people.email,
      name: people.name,
      turnedOff: people.turnedOffMails,
      memberId: members.personId,
      deletedAt: accounts.deletedAt,
    })
    .from(notices)
    .innerJoin(people, eq(people.id, notices.personId))
    .innerJoin(accounts, eq(accounts.id, notices.accountId))
    .leftJoin(
      members,
      columnsEqual(members, { accountId: notices.accountId, personId: notices.personId }),
    )
    .where(lte(notices.nextAttemptAt, now))
    .orderBy(asc(notices.nextAttemptAt))
    .limit(limit)
    .for('update', { of: notices, skipLocked: true });
  return rows.flatMap(({ mail, memberId, deletedAt, ...row }) =>
    mail ? [{ ...row, mail, isFit: memberId !== null && fits(mail, deletedAt) }] : [],
  );
}

/** The owners of a deleted account get only the email about the deletion. */
function fits({ kind }: MailContent, deletedAt: Date | null): boolean {
  return (kind === 'account.deleted') === (deletedAt !== null);
}

export async function scheduleNotice(
  tx: Tx,
  uuid: string,
  { attemptCount, at }: { attemptCount: number; at: Date },
): Promise<void> {
  await tx.update(notices).set({ attemptCount, nextAttemptAt: at }).where(eq(notices.uuid, uuid));
}

/**
 * Records that a notice was sent or, with null, that it never will be. It is not tried again. Once
 * one is sent, nothing to that person counts as undeliverable any more.
 */
export async function finishNotice(
  db: Db | Tx,
  uuid: string,
  { sentAt }: { sentAt: Date | null },
): Promise<void> {
  await db
    .update(notices)
    .set({ mail: null, nextAttemptAt: null, sentAt })
    .where(eq(notices.uuid, uuid));
  if (sentAt === null) return;
  const recipient = db.select({ id: notices.personId }).from(notices).where(eq(notices.uuid, uuid));
  await db
    .update(notices)
    .set({ undeliverableSince: null, refusal: null })
    .where(and(inArray(notices.personId, recipient), isNotNull(notices.undeliverableSince)));
}

/** Records that a notice cannot be delivered. The first time counts, and the latest refusal. */
export async function recordUndeliverable(
  db: Db | Tx,
  uuid: string,
  { at, refusal }: { at: Date; refusal: MailRefusal | null },
): Promise<void> {
  const { undeliverableSince } = notices;
  await db
    .update(notices)
    .set({
      undeliverableSince: sql`coalesce(${undeliverableSince}, ${sqlInstant(at)})`,
      ...(refusal && { refusal }),
    })
    .where(eq(notices.uuid, uuid));
}

/** Removes old notices of all accounts that will not be tried again. */
export async function deleteNoticesBefore(db: Db, before: Date): Promise<void> {
  await db.delete(notices).where(and(lt(notices.createdAt, before), isNull(notices.nextAttemptAt)));
}
