import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { formatApiTime } from '#lib/time.ts';
import type { AuditEntryRow } from './store/entry-row.ts';

/** An entry as the API returns it. */
export function describeAuditEntry(row: AuditEntryRow): AuditEntry {
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
