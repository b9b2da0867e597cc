import { eq } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { settings } from '../../../db/schema/settings.ts';

const olderKeys = 'audit_keys';

/** The encrypted keys of the chain from before changes of SECRET_KEY. */
export async function readOlderKeys(db: Db): Promise<string[]> {
  const [row] = await db.select().from(settings).where(eq(settings.name, olderKeys));
  return row ? (row.value as string[]) : [];
}

export async function replaceOlderKeys(db: Db, value: string[]): Promise<void> {
  await db
    .insert(settings)
    .values({ name: olderKeys, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}
