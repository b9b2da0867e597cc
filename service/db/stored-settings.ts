import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { settings } from './schema/settings.ts';

const keyCheck = 'secret_key_check';

/** The check value of the key that seals this database's secrets; at first, `initial`. */
export async function readOrStoreKeyCheck(db: Db, initial: string): Promise<unknown> {
  await db.insert(settings).values({ name: keyCheck, value: initial }).onConflictDoNothing();
  const [row] = await db.select().from(settings).where(eq(settings.name, keyCheck));
  return row?.value;
}

export async function hasKeyCheck(db: Db): Promise<boolean> {
  return (await db.$count(settings, eq(settings.name, keyCheck))) > 0;
}

export async function replaceKeyCheck(db: Db, value: string): Promise<void> {
  await db.update(settings).set({ value }).where(eq(settings.name, keyCheck));
}

const sharedSettings = 'shared_settings';

/** Stores the values, and returns those that the process started before has stored. */
export async function replaceSharedSettings(
  db: Db,
  value: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const [row] = await db.select().from(settings).where(eq(settings.name, sharedSettings));
  await db
    .insert(settings)
    .values({ name: sharedSettings, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
  return row?.value;
}
