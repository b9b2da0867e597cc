import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { setUpTokens } from '../../../db/schema/people/people.ts';
import { settings } from '../../../db/schema/settings.ts';

/** An arbitrary constant that identifies the lock for deciding whether there is a first person. */
const firstPersonLock = 7_461_202;

/** Lets only one transaction at a time decide whether there is a first person. */
export async function lockFirstPerson(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${firstPersonLock})`);
}

/** Stores the digest of the one set-up token. Returns whether it replaces one that was still valid. */
export async function replaceSetUpToken(
  tx: Tx,
  token: typeof setUpTokens.$inferInsert,
): Promise<boolean> {
  const replaced = await tx.delete(setUpTokens).returning({ expiresAt: setUpTokens.expiresAt });
  await tx.insert(setUpTokens).values(token);
  return replaced.some(({ expiresAt }) => expiresAt > token.createdAt);
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

/** Uses up the set-up token; null if it is not the present one. */
export async function takeSetUpToken(tx: Tx, digest: Buffer): Promise<{ expiresAt: Date } | null> {
  const [row] = await tx
    .delete(setUpTokens)
    .where(eq(setUpTokens.digest, digest))
    .returning({ expiresAt: setUpTokens.expiresAt });
  return row ?? null;
}

/** Stores a setting of the installation under a name, which replaces its previous value. */
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
