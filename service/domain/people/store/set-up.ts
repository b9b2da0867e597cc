import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { setUpTokens } from '../../../db/schema/people/people.ts';
import { settings } from '../../../db/schema/settings.ts';

/** An arbitrary constant: whoever decides whether there is a first person holds this lock. */
const firstPersonLock = 7_461_202;

/** Lets one transaction at a time decide whether there is a first person yet, until it ends. */
export async function lockFirstPerson(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${firstPersonLock})`);
}

/** Stores the digest of the one set-up token there is, in place of any older one. */
export async function replaceSetUpToken(
  tx: Tx,
  token: typeof setUpTokens.$inferInsert,
): Promise<void> {
  await tx.delete(setUpTokens);
  await tx.insert(setUpTokens).values(token);
}

export async function deleteSetUpTokens(tx: Tx): Promise<void> {
  await tx.delete(setUpTokens);
}

export async function findSetUpToken(
  db: Db | Tx,
  digest: Buffer,
): Promise<{ expiresAt: Date } | null> {
  const [row] = await db
    .select({ expiresAt: setUpTokens.expiresAt })
    .from(setUpTokens)
    .where(eq(setUpTokens.digest, digest));
  return row ?? null;
}

/** Takes the token out of use; null if it is not the one there is. */
export async function takeSetUpToken(tx: Tx, digest: Buffer): Promise<{ expiresAt: Date } | null> {
  const [row] = await tx
    .delete(setUpTokens)
    .where(eq(setUpTokens.digest, digest))
    .returning({ expiresAt: setUpTokens.expiresAt });
  return row ?? null;
}

/** Stores a fact about the installation under a name, in place of the value it had. */
export async function writeSetting(tx: Tx, name: string, value: object): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}

export async function readSetting(db: Db | Tx, name: string): Promise<object | null> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, name));
  return typeof row?.value === 'object' ? row.value : null;
}
