import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { emailChanges, people } from '../../../db/schema/people/people.ts';

export type EmailChangeRow = typeof emailChanges.$inferSelect;

/** Lets only one transaction at a time decide who has an email. */
export async function lockEmail(tx: Tx, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`email:${email}`}, 0))`);
}

/** Whether an email is a person's, or one they can still get back. Always two queries. */
export async function isEmailTaken(
  db: Db | Tx,
  { email, now }: { email: string; now: Date },
): Promise<boolean> {
  const owners = await db.select({ id: people.id }).from(people).where(eq(people.email, email));
  const kept = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.oldEmail, email),
        isNotNull(emailChanges.confirmedAt),
        gt(emailChanges.revocableUntil, now),
      ),
    );
  return owners.length > 0 || kept.length > 0;
}

export async function insertEmailChange(
  tx: Tx,
  row: typeof emailChanges.$inferInsert,
): Promise<void> {
  await tx.insert(emailChanges).values(row);
}

/** The change that waits to be confirmed; null if there is none. */
export async function findPendingEmailChange(
  db: Db | Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<EmailChangeRow | null> {
  return await findEmailChange(
    db,
    and(
      eq(emailChanges.personId, personId),
      isNotNull(emailChanges.confirmDigest),
      gt(emailChanges.confirmableUntil, now),
    ),
  );
}

/** The confirmed change that can still be undone; null if there is none. */
export async function findRevocableEmailChange(
  db: Db | Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<EmailChangeRow | null> {
  return await findEmailChange(
    db,
    and(
      eq(emailChanges.personId, personId),
      isNotNull(emailChanges.confirmedAt),
      gt(emailChanges.revocableUntil, now),
    ),
  );
}

/** The change whose new address this link confirms; null if the link is not valid. */
export async function findEmailChangeToConfirm(
  db: Db | Tx,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<EmailChangeRow | null> {
  return await findEmailChange(
    db,
    and(eq(emailChanges.confirmDigest, digest), gt(emailChanges.confirmableUntil, now)),
  );
}

/** The change that this link undoes; null if the link is not valid. */
export async function findEmailChangeToRevoke(
  db: Db | Tx,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<EmailChangeRow | null> {
  return await findEmailChange(
    db,
    and(eq(emailChanges.revokeDigest, digest), gt(emailChanges.revocableUntil, now)),
  );
}

async function findEmailChange(
  db: Db | Tx,
  isWanted: SQL | undefined,
): Promise<EmailChangeRow | null> {
  const [row] = await db.select().from(emailChanges).where(isWanted);
  return row ?? null;
}

/** Invalidates the links that confirm a new address of a person; returns whether there was one. */
export async function cancelEmailChanges(tx: Tx, personId: string): Promise<boolean> {
  const cancelled = await tx
    .update(emailChanges)
    .set({ confirmDigest: null })
    .where(and(eq(emailChanges.personId, personId), isNotNull(emailChanges.confirmDigest)))
    .returning({ id: emailChanges.id });
  return cancelled.length > 0;
}

/** Confirms a change. All links that undo one and still work then work until `revocableUntil`. */
export async function confirmEmailChange(
  tx: Tx,
  { id, personId }: EmailChangeRow,
  { now, revocableUntil }: { now: Date; revocableUntil: Date },
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ confirmDigest: null, revocableUntil })
    .where(and(eq(emailChanges.personId, personId), gt(emailChanges.revocableUntil, now)));
  await tx.update(emailChanges).set({ confirmedAt: now }).where(eq(emailChanges.id, id));
}

export async function deleteEmailChanges(tx: Tx, personId: string): Promise<void> {
  await tx.delete(emailChanges).where(eq(emailChanges.personId, personId));
}

/** Removes the changes of email that a person requested while their links were not emailed. */
export async function deleteUnmailedEmailChanges(tx: Tx, personId: string): Promise<void> {
  await tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.personId, personId), eq(emailChanges.isMailed, false)));
}

export async function deleteExpiredEmailChanges(db: Db, now: Date): Promise<void> {
  await db.delete(emailChanges).where(lte(emailChanges.revocableUntil, now));
}
