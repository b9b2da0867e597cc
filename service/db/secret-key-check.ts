import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { settings } from './schema/settings.ts';

const name = 'secret_key_check';

/**
 * The check value of the key with which the secrets in this database are sealed. Stores `initial`
 * if there is none.
 */
export async function readOrStoreKeyCheck(db: Db, initial: string): Promise<unknown> {
  await db.insert(settings).values({ name, value: initial }).onConflictDoNothing();
  const [row] = await db.select().from(settings).where(eq(settings.name, name));
  return row?.value;
}

export async function hasKeyCheck(db: Db): Promise<boolean> {
  return (await db.$count(settings, eq(settings.name, name))) > 0;
}

export async function replaceKeyCheck(db: Db, value: string): Promise<void> {
  await db.update(settings).set({ value }).where(eq(settings.name, name));
}
