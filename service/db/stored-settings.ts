import { eq } from 'drizzle-orm';
import type { Db, Tx } from './open.ts';
import { settings } from './schema/settings.ts';

const keyCheck = 'secret_key_check';

/** The check value of the key that seals this database's secrets; at first, `initial`. */
export async function readOrStoreKeyCheck(db: Db, initial: string): Promise<unknown> {
  await db.insert(settings).values({ name: keyCheck, value: initial }).onConflictDoNothing();
  return await readSetting(db, keyCheck);
}

/** Null if nothing was encrypted in this database yet. */
export async function readKeyCheck(db: Db | Tx): Promise<string | null> {
  const value = await readSetting(db, keyCheck);
  return typeof value === 'string' ? value : null;
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
  const before = await readSetting(db, sharedSettings);
  await storeSetting(db, sharedSettings, value);
  return before;
}

const lastBackup = 'last_backup';

export async function storeLastBackup(db: Db, at: Date): Promise<void> {
  await storeSetting(db, lastBackup, at.toISOString());
}

/** When `admin -- backup` last succeeded; null if it never did. */
export async function readLastBackup(db: Db): Promise<Date | null> {
  const value = await readSetting(db, lastBackup);
  return typeof value === 'string' ? new Date(value) : null;
}

const restoredBackup = 'restored_backup';

/** While it is stored, no worker sends deliveries. */
export async function storeRestoredBackup(db: Tx, createdAt: string): Promise<void> {
  await storeSetting(db, restoredBackup, createdAt);
}

/** When the restored backup was made; null if none was, or deliveries were resumed since. */
export async function readRestoredBackup(db: Db | Tx): Promise<Date | null> {
  const value = await readSetting(db, restoredBackup);
  return typeof value === 'string' ? new Date(value) : null;
}

export async function deleteRestoredBackup(db: Tx): Promise<void> {
  await db.delete(settings).where(eq(settings.name, restoredBackup));
}

async function readSetting(db: Db | Tx, name: string): Promise<unknown> {
  const [row] = await db.select().from(settings).where(eq(settings.name, name));
  return row?.value;
}

async function storeSetting(db: Db | Tx, name: string, value: unknown): Promise<void> {
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}
