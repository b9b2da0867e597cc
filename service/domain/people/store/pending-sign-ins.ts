import { eq, gt, and, lte, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { passkeyChallenges } from '../../../db/schema/people/second-factors.ts';
import { pendingSignIns } from '../../../db/schema/people/sessions.ts';
import type { PasskeyPurpose } from '../../../db/schema/people/second-factors.ts';

export type PendingSignInRow = typeof pendingSignIns.$inferSelect;

/** Stores a pending sign-in, and removes ended ones of the person. */
export async function insertPendingSignIn(
  db: Db | Tx,
  row: typeof pendingSignIns.$inferInsert,
  now: Date,
): Promise<void> {
  await db
    .delete(pendingSignIns)
    .where(and(eq(pendingSignIns.personId, row.personId), lte(pendingSignIns.expiresAt, now)));
  await db.insert(pendingSignIns).values(row);
}

export async function findPendingSignIn(
  db: Db | Tx,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<PendingSignInRow | null> {
  const [row] = await db
    .select()
    .from(pendingSignIns)
    .where(and(eq(pendingSignIns.digest, digest), gt(pendingSignIns.expiresAt, now)));
  return row ?? null;
}

/** Counts a wrong second factor, and returns how many there were. */
export async function countFailure(db: Db, digest: Buffer): Promise<number> {
  const [row] = await db
    .update(pendingSignIns)
    .set({ failures: sql`${pendingSignIns.failures} + 1` })
    .where(eq(pendingSignIns.digest, digest))
    .returning({ failures: pendingSignIns.failures });
  return row?.failures ?? Number.MAX_SAFE_INTEGER;
}

/** Ends a pending sign-in; false if it had already ended. */
export async function deletePendingSignIn(db: Db | Tx, digest: Buffer): Promise<boolean> {
  const deleted = await db
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.digest, digest))
    .returning({ digest: pendingSignIns.digest });
  return deleted.length > 0;
}

export async function deletePendingSignIns(tx: Tx, personId: string): Promise<void> {
  await tx.delete(pendingSignIns).where(eq(pendingSignIns.personId, personId));
}

/** Stores a challenge for a passkey, and removes ended ones of the person. */
export async function insertChallenge(
  db: Db | Tx,
  row: typeof passkeyChallenges.$inferInsert,
  now: Date,
): Promise<void> {
  await db
    .delete(passkeyChallenges)
    .where(
      and(eq(passkeyChallenges.personId, row.personId), lte(passkeyChallenges.expiresAt, now)),
    );
  await db.insert(passkeyChallenges).values(row);
}

/** Uses up a challenge; false if the person has no such challenge, or it ended. */
export async function takeChallenge(
  tx: Tx,
  {
    digest,
    personId,
    purpose,
    now,
  }: { digest: Buffer; personId: string; purpose: PasskeyPurpose; now: Date },
): Promise<boolean> {
  const taken = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.digest, digest),
        eq(passkeyChallenges.personId, personId),
        eq(passkeyChallenges.purpose, purpose),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ digest: passkeyChallenges.digest });
  return taken.length > 0;
}

/** Removes all sign-ins and challenges that have ended. */
export async function deleteExpiredPendingSignIns(db: Db, now: Date): Promise<void> {
  await db.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now));
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now));
}
