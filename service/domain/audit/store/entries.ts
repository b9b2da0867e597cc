import { and, count, desc, eq, lt, max } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema.ts';
import type { AccountId } from '../../account-id.ts';

export type AuditEntryRow = typeof auditEntries.$inferSelect;

/** Up to `limit` entries of an account with an id below `before`, newest first. */
export async function listAuditEntryRows(
  db: Db | Tx,
  accountId: AccountId,
  page: { before: number | null; limit: number },
): Promise<AuditEntryRow[]> {
  return await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.accountId, accountId),
        page.before === null ? undefined : lt(auditEntries.id, page.before),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(page.limit);
}

/** How many entries an account has, and the newest one's id; 0 without any. */
export async function countAuditEntryRows(
  db: Db,
  accountId: AccountId,
): Promise<{ total: number; newest: number }> {
  const [counted] = await db
    .select({ total: count(), newest: max(auditEntries.id) })
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId));
  return { total: counted?.total ?? 0, newest: counted?.newest ?? 0 };
}
