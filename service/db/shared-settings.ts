import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { settings } from './schema/settings.ts';

const name = 'shared_settings';

/** Stores the values, and returns those that the process started before has stored. */
export async function replaceSharedSettings(
  db: Db,
  value: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const [row] = await db.select().from(settings).where(eq(settings.name, name));
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
  return row?.value;
}
