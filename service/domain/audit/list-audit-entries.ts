import type { z } from 'zod';
import type { AuditEntry, listAuditEntries as contract } from '#lib/contract/audit-log.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { listAuditEntryRows } from './store/entries.ts';
import type { AuditEntryRow } from './store/entries.ts';

/**
 * A page of the account's audit entries, newest first.
 * @throws ServiceError VALIDATION_ERROR on a cursor this API did not give
 */
export async function listAuditEntries(
  ctx: Context,
  actor: Actor,
  { cursor, limit }: z.output<typeof contract.query>,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const before = readCursor(cursor);
  const found = await listAuditEntryRows(ctx.db, actor.accountId, { before, limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit);
  return { entries: rows.map(describeAuditEntry), nextCursor };
}

function describeAuditEntry(row: AuditEntryRow): AuditEntry {
  return {
    id: row.id,
    at: formatApiTime(row.at),
    actor: row.actor,
    action: row.action,
    target: row.target,
    changes: row.changes,
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
  };
}
