import { and, count, getTableColumns, max } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { isOnPage, orderOfPage } from '../../../db/statements/list-page.ts';
import type { PagePosition } from '../../../db/statements/list-page.ts';
import type { AccountId } from '../../account-id.ts';
import { matchesFilter } from './filter-entries.ts';
import type { ListedRow } from './entry-row.ts';
import type { AuditEntryFilter } from './filter-entries.ts';
import { isOutsideChain } from './outside-chain.ts';

/** Up to `limit` matching entries of a page of an account. */
export async function listAuditEntryRows(
  db: Db | Tx,
  accountId: AccountId,
  page: AuditEntryFilter & { at: PagePosition; limit: number },
): Promise<ListedRow[]> {
  return await db
    .select({ ...getTableColumns(auditEntries), isOutsideChain: isOutsideChain(accountId) })
    .from(auditEntries)
    .where(and(matchesFilter(accountId, page), isOnPage(auditEntries, page.at)))
    .orderBy(...orderOfPage(auditEntries, page.at))
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
