import type { z } from 'zod';
import type {
  AuditEntry,
  listAuditEntries as contract,
} from '#lib/contract/audit-log/audit-log.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { describeAuditEntry } from './describe-audit-entry.ts';
import { readFilters } from './read-filters.ts';
import { listAuditEntryRows } from './store/entries.ts';

/**
 * A page of the account's audit entries that match the filters, newest first.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listAuditEntries(
  ctx: Context,
  actor: Actor,
  { cursor, limit, ...filters }: z.output<typeof contract.query>,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const before = readCursor('audit-entries', cursor);
  const filter = await readFilters(ctx.db, actor.accountId, filters);
  const read = () =>
    listAuditEntryRows(ctx.db, actor.accountId, { ...filter, before, limit: limit + 1 });
  const found = mightReadMany(filters)
    ? await ctx.heavyReads.run(actor.accountId, read)
    : await read();
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor('audit-entries', id));
  return { entries: rows.map((row) => describeAuditEntry(row, actor)), nextCursor };
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
