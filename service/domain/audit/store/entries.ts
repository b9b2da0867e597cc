import { and, count, desc, getTableColumns, lt, max } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../account-id.ts';
import { matchesFilter } from './filter-entries.ts';
import type { ListedRow } from './entry-row.ts';
import type { AuditEntryFilter } from './filter-entries.ts';
import { isOutsideChain } from './outside-chain.ts';

/** Up to `limit` matching entries of an account with an id below `before`, newest first. */
export async function listAuditEntryRows(
  db: Db | Tx,
  accountId: AccountId,
  page: AuditEntryFilter & { before: number | null; limit: number },
): Promise<ListedRow[]> {
  return await db
    .select({ ...getTableColumns(auditEntries), isOutsideChain: isOutsideChain(accountId) })
    .from(auditEntries)
    .where(
      and(
        matchesFilter(accountId, page),
        page.before === null ? undefined : lt(auditEntries.id, page.before),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(page.limit);
}

/** How many matching entries an account has, and the newest one's id; 0 without any. */
export async function countAuditEntryRows(
  db: Db,
  accountId: AccountId,
  filter: AuditEntryFilter,
): Promise<{ total: number; newest: number }> {
  const [counted] = await db
    .select({ total: count(), newest: max(auditEntries.id) })
    .from(auditEntries)
    .where(matchesFilter(accountId, filter));
  return { total: counted?.total ?? 0, newest: counted?.newest ?? 0 };
}
