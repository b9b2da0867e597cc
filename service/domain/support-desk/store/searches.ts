import { desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { people } from '../../../db/schema/people/people.ts';
import { deskSearches } from '../../../db/schema/people/support.ts';

// A search covers many accounts and so belongs to none: nothing here takes an account.

export type DeskSearchRow = typeof deskSearches.$inferSelect;

export async function insertSearch(tx: Tx, row: typeof deskSearches.$inferInsert): Promise<void> {
  await tx.insert(deskSearches).values(row);
}

/** The newest first, of all people or of one person. */
export async function listNewestSearches(
  db: Db,
  { personId, limit }: { personId: string | null; limit: number },
): Promise<DeskSearchRow[]> {
  return await db
    .select()
    .from(deskSearches)
    .where(personId === null ? undefined : sql`${deskSearches.person} ->> 'id' = ${personId}`)
    .orderBy(desc(deskSearches.id))
    .limit(limit);
}

export async function findPersonIdByEmail(db: Db, email: string): Promise<string | null> {
  const [row] = await db.select({ id: people.id }).from(people).where(eq(people.email, email));
  return row?.id ?? null;
}

/** @returns how many */
export async function deleteOldestSearches(
  tx: Tx,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  // The trigger allows deletions only with this setting: nothing but retention removes a search.
  await tx.execute(sql`select set_config('conversation_service.retention', 'checkpoint', true)`);
  const oldest = tx
    .select({ id: deskSearches.id })
    .from(deskSearches)
    .where(lt(deskSearches.at, before))
    .orderBy(deskSearches.at)
    .limit(limit);
  const removed = await tx
    .delete(deskSearches)
    .where(inArray(deskSearches.id, oldest))
    .returning({ id: deskSearches.id });
  return removed.length;
}
