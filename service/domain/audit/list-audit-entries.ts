import type { z } from 'zod';
import type {
  AuditEntry,
  listAuditEntries as contract,
} from '#lib/contract/audit-log/audit-log.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../read-page.ts';
import { describeAuditEntry } from './describe-audit-entry.ts';
import { readFilters } from './read-filters.ts';
import { listAuditEntryRows } from './store/entries.ts';

/**
 * A page of the account's audit entries that match the filters, newest first, or the entries since
 * the client last read them.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listAuditEntries(
  ctx: Context,
  actor: Actor,
  query: z.output<typeof contract.query>,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null; followCursor?: string }> {
  const filter = await readFilters(ctx.db, actor.accountId, query);
  const { rows, ...cursors } = await readPage(
    ctx.db,
    { ...query, list: 'audit-entries' },
    (at, limit) => {
      const read = () => listAuditEntryRows(ctx.db, actor.accountId, { ...filter, at, limit });
      return mightReadMany(query) ? ctx.heavyReads.run(actor.accountId, read) : read();
    },
  );
  return { entries: rows.map((row) => describeAuditEntry(row, actor)), ...cursors };
}

/**
 * Whether a page might need to read many entries that do not match: each filter has its index, but
 * no index has two of them.
 */
function mightReadMany({
  actor,
  action,
  target,
}: Pick<z.output<typeof contract.query>, 'actor' | 'action' | 'target'>): boolean {
  return [actor, action, target].filter((given) => given !== undefined).length > 1;
}
