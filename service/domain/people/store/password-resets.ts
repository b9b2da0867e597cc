import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { passwordResets } from '../../../db/schema/people/credentials.ts';

type PasswordResetRow = typeof passwordResets.$inferSelect;

/** Stores the newest link for an email, which replaces any older one. */
export async function replacePasswordReset(
  db: Db | Tx,
  row: typeof passwordResets.$inferInsert,
): Promise<void> {
  const { digest, createdAt, expiresAt } = row;
  await db
    .insert(passwordResets)
    .values(row)
    .onConflictDoUpdate({ target: passwordResets.email, set: { digest, createdAt, expiresAt } });
}

export async function findPasswordReset(
  db: Db | Tx,
  digest: Buffer,
): Promise<PasswordResetRow | null> {
  const [row] = await db.select().from(passwordResets).where(eq(passwordResets.digest, digest));
  return row ?? null;
}

/** Uses a link up; false if it is no longer valid. */
export async function takePasswordReset(
  tx: Tx,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<boolean> {
  const taken = await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.digest, digest), gt(passwordResets.expiresAt, now)))
    .returning({ email: passwordResets.email });
  return taken.length > 0;
}

export async function deletePasswordReset(tx: Tx, email: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.email, email));
}

export async function deleteExpiredPasswordResets(db: Db, now: Date): Promise<void> {
  await db.delete(passwordResets).where(lte(passwordResets.expiresAt, now));
}
